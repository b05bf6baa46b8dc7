import type en from "../en/library";
import type { Translation } from "../translation";

export default {
  title: "运行库",
  picture_other: "{{count}} 个单元格与基线的比值及区间；共比较 {{all}} 个",
  lineLargest: "{{cell}}：{{metric}} 相对 {{baseline}} 变化 {{change}}",
  lineLargestInterval: "{{cell}}：{{metric}} 相对 {{baseline}} 变化 {{change}}（{{low}} 至 {{high}}）",
  lineEquivalent_other: "{{metric}}：全部 {{count}} 项比较在 {{margin}} 的界限内等效",
  lineUndecided_other: "{{metric}}：{{count}} 项比较中没有明确差异",
  lineNoComparison: "{{metric}}：已测量，没有比较对象",
  lineFailed: "没有单元格得到数值",
  countBetter: "{{count}} 项更好",
  countWorse: "{{count}} 项更差",
  countEquivalent: "{{count}} 项等效",
  countUnclear: "{{count}} 项不明确",
  countFailed: "{{count}} 项失败",
  thresholdFailed: "未达到阈值",
  suspect: "A/A 检查可疑",
  excluded_other: "已排除 {{count}} 次试验：{{reason}}",
} satisfies Translation<typeof en>;
