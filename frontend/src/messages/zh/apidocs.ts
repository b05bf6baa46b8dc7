import type en from "../en/apidocs";
import type { Translation } from "../translation";

export default {
  title: "API",
  about: "脚本可在本服务器上执行的操作，取自服务器自身的 OpenAPI 文档",
  start: "首页",
  help: "帮助",
  download: "OpenAPI 文档",
  loading: "正在加载 API 的操作",
  loadingViewer: "正在加载参数和响应",
  operations: "操作",
  search: "搜索操作",
  count_other: "{{count}} 个操作",
  allOperations: "← 全部操作",
  unknown: "本服务器没有操作 {{id}}",
  scripts: "脚本如何登录",
  token: "脚本在每个请求中发送 API 令牌。请在<to>账户 → API 令牌</to>中创建。",
  tryNote: "读取 JSON 的操作可在此试用。浏览器以您的身份在您的团队中发送请求。",
  copyCurl: "复制为 curl",
  curl: "在脚本中调用",
  reference: "参数和响应",
  callerPublic: "任何人都可以调用。",
  callerWorker: "只有主机的工作进程会调用。",
  callerSession: "只有已登录的浏览器可以调用，令牌不可以。",
  callerToken: "任何 API 令牌都可以调用。",
  callerScope: "需要具有 {{scope}} 权限范围的 API 令牌。",
} satisfies Translation<typeof en>;
