export default {
  contents: "Contents",
  openAll: "Open all sections",
  foldAll: "Fold all sections",
  sectionVerdict: "Verdict",
  sectionFindings: "Thresholds and warnings",
  sectionCells: "Figures by cell",
  sectionTable: "Table of all cells",
  sectionPanels: "Load, cost and latency",
  sectionHops: "Cost of each hop",
  sectionPivot: "Cells by any factors",
  sectionChecks: "Checks of the run",
  sectionEnvironment: "Where it was measured",
} as const;
