import type en from "../en/result";
import type { Translation } from "../translation";

export default {
  contents: "目录",
  openAll: "展开所有部分",
  foldAll: "折叠所有部分",
  sectionVerdict: "结论",
  sectionFindings: "阈值与警告",
  sectionCells: "各单元格的数值",
  sectionTable: "所有单元格的表格",
  sectionPanels: "负载、开销与延迟",
  sectionHops: "每一跳的开销",
  sectionPivot: "按任意因子查看单元格",
  sectionChecks: "本次运行的检查",
  sectionEnvironment: "测量环境",
} satisfies Translation<typeof en>;
