import type { ChartCell, ChartModel } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { changeEnds, changeOf, OUTCOMES, outcomeOf } from "@/components/outcome";
import { serverText } from "@/components/serverText";
import { State } from "@/components/State";
import { withoutFigure, type StateLabel } from "@/components/stateLabels";
import { summaryOf } from "@/api/states";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { Symbol } from "@/charts/Symbol";
import styles from "./JointChart.module.css";
import type { JointLayout, JointLine } from "./jointLayout";
import { cpuKey } from "./jointDots";

const t = messages("answer");

interface Props {
  layout: JointLayout;
  names: readonly string[];
  metric: string;
  origin: ChartModel["origin"];
  /** The tracks of a line's grid; none where a cell's name is above its plots. */
  columns: string | undefined;
  active: string | null;
  onCell: ((cellId: string) => void) | undefined;
}

/** The texts of the lines: names and figures, beside the plots or above them. */
export function JointRows({
  layout: { lines, lineHeight, cpu },
  names,
  columns,
  active,
  ...rest
}: Props) {
  const isNarrow = columns === undefined;
  return lines.map((line, at) => (
    <div
      key={line.key}
      className={styles.line}
      style={{ height: lineHeight, ...(columns !== undefined && { gridTemplateColumns: columns }) }}
      data-kind={line.kind}
      data-starts={(line.starts && at > 0) || undefined}
      data-active={isActive(line, active) || undefined}
    >
      {!(isNarrow && line.kind === "cell") && (
        <Line line={line} name={names[at] ?? ""} hasProxy={cpu.hasProxy} {...rest} />
      )}
    </div>
  ));
}

function isActive({ cell, kind }: JointLine, active: string | null): boolean {
  return (
    cell !== null &&
    kind === "cell" &&
    (active === `${cell.id} median` || active === cpuKey(cell.id))
  );
}

type LineProps = Pick<Props, "metric" | "origin" | "onCell"> & {
  line: JointLine;
  name: string;
  hasProxy: boolean;
};

function Line({ line, name, hasProxy, metric, origin, onCell }: LineProps) {
  const { cell, kind } = line;
  if (kind === "heading")
    return (
      <span className={styles.heading} dir="auto" title={line.name}>
        {line.name}
      </span>
    );
  if (!cell) return null;
  const open = onCell && (() => onCell(cell.id));
  const opens = { onClick: open, "data-open": open && true, title: cell.label };
  if (kind === "row")
    return (
      <span className={styles.row} dir="auto" {...opens}>
        {line.name}
      </span>
    );
  const level = (
    <span className={styles.level} {...opens}>
      {line.level && <Swatch cell={cell} />}
      <span dir="auto">{line.level}</span>
    </span>
  );
  const state = summaryOf(cell, metric) ? null : withoutFigure(cell, origin);
  const figures = state ? (
    <WithoutFigure cell={cell} state={state} />
  ) : (
    <>
      <b className={styles.value}>{line.value}</b>
      <ChangeText comparison={line.comparison} />
    </>
  );
  if (kind === "figures")
    return (
      <>
        <span className={styles.figures} data-whole={state !== null || undefined}>
          {line.level !== "" && level}
          {figures}
        </span>
        {line.cores !== "" && !state && (
          <Cores line={line} text={t(hasProxy ? "coresShort" : "coresUsed", { n: line.cores })} />
        )}
      </>
    );
  return (
    <>
      <span className={styles.name} dir="auto" {...opens}>
        {name}
      </span>
      {level}
      {state ? null : <span />}
      {figures}
      <span />
      <Cores line={line} text={line.cores} />
    </>
  );
}

/** Why a cell has no figure. */
function WithoutFigure({ cell, state }: { cell: ChartCell; state: StateLabel }) {
  const reason = cell.reason === null ? null : serverText(cell.reason, cell.reason_message);
  return (
    <span className={styles.state} title={reason ?? state.word}>
      <State label={state}>
        {state.word}
        {reason !== null && <small dir="auto">{`: ${reason}`}</small>}
      </State>
    </span>
  );
}

function Swatch({ cell }: { cell: NonNullable<JointLine["cell"]> }) {
  const color = seriesColor(cell.color);
  return (
    <svg width={12} height={12} aria-hidden="true">
      <Symbol shape={seriesShape(cell.shape)} cx={6} cy={6} size={8} fill={color} stroke={color} />
    </svg>
  );
}

function Cores({ line, text }: { line: JointLine; text: string }) {
  const { bar } = line;
  const title = bar?.total == null ? undefined : t("coresOfAll", { n: formatNumber(bar.total, 2) });
  return (
    <span className={styles.cores} title={title} data-none={line.cores === "0" || undefined}>
      {text}
    </span>
  );
}

/** The change against the other end of the comparison where one is shown, else a verdict word. */
function ChangeText({ comparison }: { comparison: JointLine["comparison"] }) {
  if (!comparison) return <span className={styles.change} />;
  const outcome = outcomeOf(comparison);
  const change = changeOf(comparison);
  const ends = changeEnds(comparison);
  const between = ends ? t("between", ends) : "";
  const isShown = (outcome === "worse" || outcome === "better") && change !== "";
  const word = OUTCOMES[outcome].word;
  return (
    <span
      className={styles.change}
      data-outcome={outcome}
      title={[isShown ? word : change, between].filter(Boolean).join(", ")}
    >
      {isShown ? change : word}
    </span>
  );
}
