import type { ChartModel, Run } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { messages } from "@/messages";
import { proposals, type Choice } from "./choice";
import styles from "./ComparePage.module.css";

const t = messages("compare");

/** The query of the cells of one side. */
interface CellsOf {
  data: ChartModel | undefined;
  isError: boolean;
}

interface Props {
  runs: readonly Run[];
  choice: Choice;
  /** The number of listed runs, or null where all are listed. */
  newest: number | null;
  models: { a: CellsOf; b: CellsOf };
  onChange: (changes: Record<string, string | null>) => void;
}

/** Basis and override are reset for another pair. */
const RESET = { basis: null, override: null };

/** The choice of two runs, or of two cells. */
export function RunPicker({ runs, choice, newest, models, onChange }: Props) {
  const known = (id: string | null) => runs.find((run) => run.id === id);
  const swap = () => onChange({ a: choice.b, b: choice.a, a_cell: choice.bCell, b_cell: choice.aCell, ...RESET });
  return (
    <Card
      title={choice.cells ? t("cells") : t("runs")}
      note={t("pickerNote")}
      actions={
        <>
          {choice.cells && (
            <Button kind="ghost" onClick={() => onChange({ a_cell: null, b_cell: null, override: null })}>
              {t("compareAllCells")}
            </Button>
          )}
          <Button kind="ghost" onClick={swap}>
            {t("swap")}
          </Button>
        </>
      }
    >
      <div className={styles.sides}>
        <Side name="A" value={choice.a} cell={choice.aCell} runs={runs} other={known(choice.b)} model={models.a} cells={choice.cells} same={choice.cells} onRun={(a) => onChange({ a, a_cell: choice.cells ? "" : null, ...RESET })} onCell={(cell) => onChange({ a_cell: cell, override: null })} />
        <Side name="B" value={choice.b} cell={choice.bCell} runs={runs} other={known(choice.a)} model={models.b} cells={choice.cells} same={choice.cells} onRun={(b) => onChange({ b, b_cell: choice.cells ? "" : null, ...RESET })} onCell={(cell) => onChange({ b_cell: cell, override: null })} />
      </div>
      {newest !== null && <p className={styles.unlisted}>{t("newestListed", { count: newest })}</p>}
    </Card>
  );
}

interface SideProps {
  name: "A" | "B";
  value: string | null;
  cell: string | null;
  runs: readonly Run[];
  other: Run | undefined;
  model: CellsOf;
  cells: boolean;
  /** Whether both sides may be the same run. */
  same: boolean;
  onRun: (id: string) => void;
  onCell: (id: string) => void;
}

function describe(run: Run): string {
  return t("runDescribed", { title: run.title, host: run.host, at: formatTime(run.started_at ?? run.created_at) });
}

function Side({ name, value, cell, runs, other, model, cells, same, onRun, onCell }: SideProps) {
  const found = proposals(runs, other);
  const groups = [
    [t("sameRun"), same && other ? [other] : []],
    [t("sameExperiment"), found.same],
    [t("sameName"), found.alike],
    [other ? t("otherRuns") : t("runs"), found.others],
  ] as const;
  const known = groups.some(([, members]) => members.some(({ id }) => id === value));
  return (
    <div className={styles.side}>
      <span className={styles.letter} aria-hidden="true">{name}</span>
      <div>
        <select aria-label={t("runOfSide", { name })} value={value ?? ""} onChange={(event) => onRun(event.target.value)}>
          <option value="" disabled>
            {t("chooseRun")}
          </option>
          {value !== null && !known && <option value={value}>{runs.find(({ id }) => id === value)?.title ?? value}</option>}
          {groups.map(([label, members]) =>
            members.length === 0 ? null : (
              <optgroup key={label} label={label}>
                {members.map((run) => (
                  <option key={run.id} value={run.id}>
                    {describe(run)}
                  </option>
                ))}
              </optgroup>
            ),
          )}
        </select>
        {cells && value !== null && (
          <select aria-label={t("cellOfSide", { name })} value={cell ?? ""} onChange={(event) => onCell(event.target.value)}>
            <option value="" disabled>
              {model.data ? t("chooseCell") : model.isError ? t("cellsNotLoaded") : t("loadingCells")}
            </option>
            {model.data?.cells.map((each) => (
              <option key={each.id} value={each.id}>
                {each.label}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  );
}
