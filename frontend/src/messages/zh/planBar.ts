import type { Translation } from "../translation";
import type en from "../en/planBar";

export default {
  none: "尚无计划",
  loading: "正在制定计划……",
  cells_other: "<b>{{count, number}}</b> 个单元",
  infeasible_other: "（另有 {{count, number}} 个无法在此运行）",
  time: "约 <b>{{time}}</b>",
  timeRange: "<b>{{low}}</b> 到 <b>{{high}}</b>",
  worst: "（主机繁忙时最多 {{time}}）",
  shows: "可发现 <b>{{effect}}</b> 及以上的差异",
  showsNothing: "发现不了差异",
  showsAbout: "此计划在五次运行中有四次能发现的最小差异",
  earlier: "较早的计划，正在更新……",
  earlierFailed: "较早的计划：没有更新的计划",
  choose: "选择",
  showMarked_other: "显示 {{count, number}} 个标出的值",
  decides_other: "{{count, number}} 轮只能判定 {{comparisons}} 项中的 {{able}} 项",
  decidesNone_other: "{{count, number}} 轮无法判定 {{comparisons}} 项中的任何一项",
  early_other: "{{count, number}} 轮不足以得出首个答案",
  nothing: "没有进行任何比较",
  budgetShort: "时间限制在首个答案之前结束",
  useRounds_other: "使用 {{count, number}} 轮",
  beginLater_other: "从 {{count, number}} 轮之后开始",
  varyProxy: "变化 docker-proxy 的开与关",
  noTimeLimit: "取消限制",
  codeOneHost: "此请求只在 {{host}} 上开始一次运行。",
} satisfies Translation<typeof en>;
