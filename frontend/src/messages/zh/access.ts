import type en from "../en/access";
import type { Translation } from "../translation";

export default {
  accountMenu: "账户：{{name}}",
  chooseTeam: "团队",
  team: "团队",
  administration: "管理",
  yourAccount: "您的账户",
  showShortcuts: "键盘快捷键",
  singleKeys: "单键快捷键",
  signOut: "退出登录",
} satisfies Translation<typeof en>;
