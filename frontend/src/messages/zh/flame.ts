import type en from "../en/flame";
import type { Translation } from "../translation";

export default {
  title: "CPU 火焰图",
  note: "对所有 CPU 采样 {{samples}} 次，每个 CPU 每秒 {{hz}} 次，持续 {{seconds}} 秒",
  unmeasured: "在运行结束之后的一次额外试验中采集。该试验不计入测量：本次运行的任何数值都不包含它。",
  graph: "调用栈，调用者在上，被调用者在下。方向键移动，Enter 将某一帧放大到全宽，Escape 返回上一级。",
  frame: "{{name}}：{{total}} 个样本，占全部的 {{share}} %；自身 {{own}} %",
  role: "角色", allRoles: "全部角色", search: "搜索",
  found_other: "{{count}} 帧，占样本的 {{share}} %",
  whole: "完整剖析", download: "下载折叠栈文本",
  pruned: "{{share}} % 的样本位于过小而未保留的帧中：以 [other] 显示。",
  noKernelSymbols: "内核不向此 worker 公开函数名（kernel.kptr_restrict）：内核帧没有名称。",
  functions: "样本最多的函数", function: "函数", own: "自身，%", total: "含被调用者，%",
  reading: "每个方框是一个函数，宽度是它出现在 CPU 调用栈上的样本占比；它调用的函数在其下方。左右顺序没有含义。下方没有方框的宽方框就是 CPU 时间的去向。颜色表示角色；空闲 CPU 的样本不计入。",
  empty: "每次采样时所有 CPU 都处于空闲状态。",
} satisfies Translation<typeof en>;
