import type { ChartModel, Run } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { messages } from "@/messages";
import type { Choice } from "./choice";
import styles from "./ComparePage.module.css";
import { RunBox, whereAndWhen } from "./RunBox";

const t = messages("compare");

/** The query of the cells of one side. */
interface CellsOf {
  data: ChartModel | undefined;
  isError: boolean;
}

interface Props {
  choice: Choice;
  /** The chosen runs, as far as they are known. */
  runs: { a: Run | undefined; b: Run | undefined };
  models: { a: CellsOf; b: CellsOf };
  onChange: (changes: Record<string, string | null>) => void;
}

/** Basis and override are reset for another pair. */
const RESET = { basis: null, override: null };

/** The choice of two runs, or of two cells. */
export function RunPicker({ choice, runs, models, onChange }: Props) {
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
        <Side name="A" value={choice.a} cell={choice.aCell} run={runs.a} other={runs.b} model={models.a} cells={choice.cells} onRun={(a) => onChange({ a, a_cell: choice.cells ? "" : null, ...RESET })} onCell={(cell) => onChange({ a_cell: cell, override: null })} />
        <Side name="B" value={choice.b} cell={choice.bCell} run={runs.b} other={runs.a} model={models.b} cells={choice.cells} onRun={(b) => onChange({ b, b_cell: choice.cells ? "" : null, ...RESET })} onCell={(cell) => onChange({ b_cell: cell, override: null })} />
      </div>
    </Card>
  );
}

interface SideProps {
  name: "A" | "B";
  value: string | null;
  cell: string | null;
  run: Run | undefined;
  other: Run | undefined;
  model: CellsOf;
  /** Whether cells are compared: then both sides may be the same run. */
  cells: boolean;
  onRun: (id: string | null) => void;
  onCell: (id: string) => void;
}

function Side({ name, value, cell, run, other, model, cells, onRun, onCell }: SideProps) {
  return (
    <div className={styles.side}>
      <span className={styles.letter} aria-hidden="true">{name}</span>
      <div>
        <RunBox label={t("runOfSide", { name })} labelHidden value={value === null ? null : { value, label: run?.title ?? value }} other={other} same={cells} onChoose={onRun} />
        {run && <span className={styles.quiet}>{whereAndWhen(run)}</span>}
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
