import { useRef } from "react";
import type { FieldError } from "@/api/client";
import type { Level } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { errorsAt } from "@/components/fieldErrors";
import { formatLevel, formatNumber, plural, words } from "@/components/format";
import { Empty } from "@/components/Status";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import styles from "./ImportPage.module.css";
import { draftOf, levelOf, rounds, type LogDraft, type Varied } from "./logs";

interface Props {
  drafts: readonly LogDraft[];
  varied: readonly Varied[];
  errors: readonly FieldError[];
  onDrafts: (drafts: LogDraft[]) => void;
}

/** The files, each with the cell and the round that it is of. */
export function LogTable({ drafts, varied, errors, onDrafts }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const numbers = rounds(drafts, varied);
  const add = async (files: FileList | null) => {
    const read = await Promise.all([...(files ?? [])].map(async (file) => draftOf(crypto.randomUUID(), file.name, await file.text(), varied)));
    onDrafts([...drafts, ...read]);
    if (input.current) input.current.value = "";
  };
  const patch = (key: string, change: Partial<LogDraft>) => onDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...change } : draft)));
  return (
    <Card
      title="Logs"
      note={drafts.length === 0 ? "The standard output of pgbench, wrk, ab or iperf3, one file a trial" : `${plural(drafts.length, "log")}; levels are read from the file’s name where it says them`}
      flush={drafts.length > 0}
      actions={
        <>
          <input ref={input} type="file" multiple hidden aria-label="Log files" onChange={(event) => void add(event.target.files)} />
          <Button onClick={() => input.current?.click()}>Add files</Button>
        </>
      }
    >
      {drafts.length === 0 ? (
        <Empty title="No log yet">
          <p>Add one or more files. Logs of the same cell are counted as rounds, in the order in which they were added.</p>
        </Empty>
      ) : (
        <TableScroll label="Logs" folding>
          <table className={`${table.table} ${table.fold} ${styles.logs}`}>
            <thead>
              <tr>
                <th scope="col">File</th>
                {varied.map(({ name }) => (
                  <th key={name} scope="col">{words(name)}</th>
                ))}
                <th scope="col">Round</th>
                <th scope="col"><span className="visually-hidden">Remove</span></th>
              </tr>
            </thead>
            <tbody>
              {drafts.map((draft, index) => (
                <Row key={draft.key} draft={draft} round={numbers[index] ?? 1} varied={varied} errors={errorsAt(errors, `/logs/${index}`)} onChange={(change) => patch(draft.key, change)} onRemove={() => onDrafts(drafts.filter(({ key }) => key !== draft.key))} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Card>
  );
}

interface RowProps {
  draft: LogDraft;
  round: number;
  varied: readonly Varied[];
  errors: readonly FieldError[];
  onChange: (change: Partial<LogDraft>) => void;
  onRemove: () => void;
}

function Row({ draft, round, varied, errors, onChange, onRemove }: RowProps) {
  const setLevel = (name: string, level: Level | undefined) => {
    const levels = { ...draft.levels };
    if (level === undefined) delete levels[name];
    else levels[name] = level;
    onChange({ levels });
  };
  const setRound = (text: string) => {
    const number = Number(text);
    onChange({ round: text.trim() === "" || !Number.isInteger(number) ? null : number });
  };
  return (
    <tr>
      <th scope="row">
        {draft.name} <span className={table.quiet}>{formatNumber(draft.text.length)} characters</span>
        {errors.map((error) => (
          <span key={error.pointer + error.detail} className={styles.error}>
            ✕ {error.detail}
          </span>
        ))}
      </th>
      {varied.map((factor) => {
        const at = factor.levels.findIndex((level) => level === levelOf(draft, factor));
        return (
          <td key={factor.name} data-label={words(factor.name)}>
            <select aria-label={`${words(factor.name)} of ${draft.name}`} aria-invalid={at < 0} value={at} onChange={(event) => setLevel(factor.name, factor.levels[Number(event.target.value)])}>
              <option value={-1}>choose</option>
              {factor.levels.map((level, index) => (
                <option key={String(level)} value={index}>
                  {formatLevel(level)}
                </option>
              ))}
            </select>
          </td>
        );
      })}
      <td data-label="round">
        <input aria-label={`Round of ${draft.name}`} inputMode="numeric" value={draft.round ?? ""} placeholder={String(round)} onChange={(event) => setRound(event.target.value)} />
      </td>
      <td>
        <Button kind="ghost" aria-label={`Remove ${draft.name}`} onClick={onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}
