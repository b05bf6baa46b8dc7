import type en from "../en/waits";
import type { Translation } from "../translation";

export default {
  phaseWaiting: "正在等待主机安静：{{reasons}}。",
  phaseRepeating: "主机干扰了本试验，正在重新测量：{{reasons}}。",
  phaseWarmingUp: "正在预热，尚未测量。",
  phaseOtherInstallation: "正在等待本主机上的另一套 Plimsoll 完成测量。",
  makeUpFollows_other: "主机干扰了本次运行的试验：结束时补测 {{count}} 个试验。",
  queuedOnHost: "排队中：{{host}} 一次只运行一个试验。",
  preparing: "正在准备下一个试验…",
  hostAway: "{{host}} 上的 worker 自 {{time}} 起不可用。恢复后运行会继续；已记录的试验会保留。",
  hostPaused: "{{reason}}此运行的试验会等到那时；已记录的试验会保留。",
  startsAgainAt: "{{host}} 将在 {{at}} 重新开始试验：其策略设有运行时段。",
  wasDrained: "{{host}} 已在 {{at}} 停止接收试验：在安装管理员恢复之前不会开始新的试验。",
  wasDrainedBy: "{{by}} 已在 {{at}} 让 {{host}} 停止接收试验：在安装管理员恢复之前不会开始新的试验。",
  streamLost: "事件流已中断，正在从中断处恢复。",
} satisfies Translation<typeof en>;
