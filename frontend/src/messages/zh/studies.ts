import type en from "../en/studies";
import type { Translation } from "../translation";

export default {
  home: "首页",
  title: "研究",
  meta: "他人就这些路径发表的结果，以及在这里重做的实验。",
  loading: "正在加载研究",
  ownAction: "定义实验",
  studyName: "研究 {{study}}",
  published: "已发表的{{metric}}，最大 {{most}} {{unit}}",
  noFigures: "该研究没有给出数值，只有图表。",
  moreRows_other: "另有 {{count}} 条路径",
  whatIsMeasured: "测量内容",
  quickForm: "快速形式",
  quickFormOf: "快速形式：{{question}}",
  fullStudy: "完整研究",
  fullStudyOf: "完整研究：{{question}}",
  takesAbout: "约 {{duration}}",
} satisfies Translation<typeof en>;
