import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Combobox, type Option } from "@/components/Combobox";
import { Toggle } from "@/components/Toggle";
import type { AddressChanges } from "@/components/useAddress";
import { messages } from "@/messages";
import { letter, MOST_COLUMNS, withColumns, withoutColumn, type ColumnChoice, type MatrixChoice } from "./columns";
import styles from "./MatrixView.module.css";
import { RunBox, whereAndWhen } from "./RunBox";

const t = messages("compare");

interface Props {
  choice: MatrixChoice;
  /** The runs of the columns that are known, by id. */
  runs: ReadonlyMap<string, Run>;
  onChange: (changes: AddressChanges) => void;
}

/** The choice of columns: runs by search, single cells, and the reference. */
export function ColumnPicker({ choice, runs, onChange }: Props) {
  const { columns, cells } = choice;
  const set = (index: number, column: ColumnChoice) => onChange(withColumns(choice, columns.map((each, at) => (at === index ? column : each))));
  const kind = (value: "all" | "cells") => onChange(withColumns(choice, columns.map(({ run }) => ({ run, cell: value === "cells" ? "" : null }))));
  return (
    <Card
      title={t("columns")}
      note={t("columnsNote", { most: MOST_COLUMNS })}
      actions={columns.length > 0 && <Toggle label={t("whatOfEachRun")} value={cells ? "cells" : "all"} onChange={kind} options={[{ value: "all", label: t("allCells") }, { value: "cells", label: t("singleCells") }]} />}
    >
      {columns.length > 0 && (
        <fieldset className={styles.columns}>
          <legend className="visually-hidden">{t("chooseReference")}</legend>
          {columns.map((column, index) => (
            <ColumnRow
              key={`${index} ${column.run}`}
              name={letter(index)}
              column={column}
              run={runs.get(column.run)}
              isReference={index === choice.reference}
              onReference={() => onChange(withColumns(choice, columns, index))}
              onCell={(cell) => set(index, { ...column, cell })}
              onRemove={() => onChange(withoutColumn(choice, index))}
            />
          ))}
        </fieldset>
      )}
      {columns.length < MOST_COLUMNS ? (
        <RunBox
          key={columns.length}
          label={t("addRun")}
          value={null}
          other={runs.get(columns[choice.reference]?.run ?? "")}
          same={cells}
          taken={cells ? [] : columns.map(({ run }) => run)}
          onChoose={(run) => run !== null && onChange(withColumns(choice, [...columns, { run, cell: cells ? "" : null }]))}
        />
      ) : (
        <p className={styles.quiet}>{t("noMoreColumns", { most: MOST_COLUMNS })}</p>
      )}
    </Card>
  );
}

interface RowProps {
  name: string;
  column: ColumnChoice;
  run: Run | undefined;
  isReference: boolean;
  onReference: () => void;
  onCell: (cell: string) => void;
  onRemove: () => void;
}

function ColumnRow({ name, column, run, isReference, onReference, onCell, onRemove }: RowProps) {
  const title = run?.title ?? column.run;
  return (
    <div className={styles.column} data-reference={isReference || undefined}>
      <label className={styles.reference}>
        <input type="radio" name="reference" checked={isReference} onChange={onReference} aria-label={t("columnAsReference", { name, title })} />
        <b>{name}</b>
      </label>
      <div className={styles.about}>
        <bdi>{title}</bdi>
        <span className={styles.quiet}>{run ? whereAndWhen(run) : column.run}</span>
        {column.cell !== null && <CellBox name={name} runId={column.run} value={column.cell} onCell={onCell} />}
      </div>
      {isReference && <span className={styles.badge}>{t("reference")}</span>}
      <Button kind="ghost" aria-label={t("removeColumnNamed", { name })} onClick={onRemove}>
        {t("removeColumn")}
      </Button>
    </div>
  );
}

function CellBox({ name, runId, value, onCell }: { name: string; runId: string; value: string; onCell: (cell: string) => void }) {
  const result = useQuery(queries.result(runId));
  const options: Option[] = result.data?.cells.map((cell) => ({ value: cell.id, label: cell.label, detail: cell.id })) ?? [];
  return (
    <Combobox
      label={t("cellOfColumn", { name })}
      labelHidden
      options={options}
      loading={result.isPending}
      failure={result.isError ? t("cellsNotLoaded") : null}
      placeholder={t("chooseCell")}
      value={options.find((option) => option.value === value) ?? null}
      onChange={(option) => onCell(option?.value ?? "")}
    />
  );
}
