import type en from "../en/problems";
import type { Translation } from "../translation";

export default {
  titleBadRequest: "无法读取请求",
  titleUnauthenticated: "未登录",
  titleForbidden: "不允许",
  titleNotFound: "未找到",
  titleConflict: "与当前状态冲突",
  titleGone: "已不可用",
  titleTooLarge: "内容过大",
  titleUnsupported: "不支持的媒体类型",
  titleInvalid: "请求无效",
  titleTooMany: "请求过多",
  titleFailed: "服务器出错",
  titleUnavailable: "所需的服务不可用",
  titleFull: "数据库没有剩余空间",
  answered: "服务器返回了 {{status}}。",
  pageFailed: "页面出错",
  noAnswer: "Plimsoll 没有响应",
  retries: "页面会一直重试，直到有响应。",
  noAnswerInTime: "未及时响应",
  slowAnswer: "Plimsoll 在 {{seconds}} 秒内没有响应。",
} satisfies Translation<typeof en>;
