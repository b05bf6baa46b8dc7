import type en from "../en/palette";
import type { Translation } from "../translation";

export default {
  placeholder: "搜索运行、主机、研究、页面和操作",
  results: "结果",
  groupActions: "此页面的操作",
  groupPages: "页面",
  groupDisplay: "显示",
  groupRuns: "运行",
  groupHosts: "主机",
  groupStudies: "研究",
  useTheme: "主题：{{name}}",
  useLanguage: "语言：{{name}}",
  searching: "正在搜索…",
  searchFailed: "未收到服务器的结果；已列出页面和操作。",
  nothingFound: "没有找到结果",
  found_other: "{{count}} 个结果",
  keysHint: "↑ ↓ 选择 · Enter 打开 · Esc 关闭",
  shortcuts: "键盘快捷键",
  close: "关闭",
  escape: "关闭对话框或菜单",
  singleKeys: "单键快捷键",
  toHelp: "如何解读结果",
} satisfies Translation<typeof en>;
