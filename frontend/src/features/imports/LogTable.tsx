import { useRef, useState } from "react";
import type { FieldError } from "@/api/errors";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { FieldErrors } from "@/components/FieldErrors";
import { factName } from "@/components/factName";
import { formatLevel, formatNumber } from "@/components/format";
import { newKey } from "@/components/newKey";
import { Empty, Note } from "@/components/Status";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { messages } from "@/messages";
import styles from "./ImportPage.module.css";
import { draftOf, withStderr, rounds, type LogDraft } from "./logs";
import { variedIn, type KnownFactor } from "./products";
import { levelOptions, type LevelOptions } from "./levelOptions";

const t = messages("imports");

interface Props {
  drafts: readonly LogDraft[];
  factors: readonly KnownFactor[];
  errorsOf: (draft: LogDraft) => readonly FieldError[];
  /** Called with a function of the current drafts, which may change while files are read. */
  onDrafts: (change: (drafts: LogDraft[]) => LogDraft[]) => void;
}

async function readAll(files: readonly File[], varied: readonly KnownFactor[]): Promise<{ read: LogDraft[]; failed: string[] }> {
  const texts = await Promise.allSettled(files.map((file) => file.text()));
  const read = texts.flatMap((text, index) => (text.status === "fulfilled" ? [draftOf(newKey(), files[index]?.name ?? "", text.value, varied)] : []));
  return { read, failed: files.filter((_, index) => texts[index]?.status === "rejected").map(({ name }) => name) };
}

/** The table of log files, each with its cell and round. */
export function LogTable({ drafts, factors, errorsOf, onDrafts }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [unread, setUnread] = useState<readonly string[]>([]);
  const varied = variedIn(factors);
  const numbers = rounds(drafts, factors);
  const add = async (files: FileList | null) => {
    const { read, failed } = await readAll([...(files ?? [])], varied);
    setUnread(failed);
    onDrafts((present) => withStderr([...present, ...read]));
    if (input.current) input.current.value = "";
  };
  const patch = (key: string, change: Partial<LogDraft>) => onDrafts((present) => present.map((draft) => (draft.key === key ? { ...draft, ...change } : draft)));
  return (
    <>
      {unread.length > 0 && (
        <Note tone="bad">
          <strong>{t("unread")}</strong> <bdi>{t("unreadFiles", { files: unread.join(", "), count: unread.length })}</bdi>
        </Note>
      )}
      <Card
        title={t("logs")}
        note={drafts.length === 0 ? t("logsNote") : t("logsCount", { count: drafts.length })}
        flush={drafts.length > 0}
        actions={
          <>
            <input ref={input} type="file" multiple hidden aria-label={t("logFiles")} onChange={(event) => void add(event.target.files)} />
            <Button onClick={() => input.current?.click()}>{t("addFiles")}</Button>
          </>
        }
      >
        {drafts.length === 0 ? (
          <Empty title={t("noLog")}>
            <p>{t("noLogText")}</p>
          </Empty>
        ) : (
          <TableScroll label={t("logs")} folding>
            <table className={`${table.table} ${table.fold} ${styles.logs}`}>
              <thead>
                <tr>
                  <th scope="col">{t("file")}</th>
                  {varied.map(({ name }) => (
                    <th key={name} scope="col">{factName(name)}</th>
                  ))}
                  <th scope="col">{t("round")}</th>
                  <th scope="col"><span className="visually-hidden">{t("remove")}</span></th>
                </tr>
              </thead>
              <tbody>
                {drafts.map((draft, index) => (
                  <Row key={draft.key} draft={draft} round={numbers[index] ?? 1} varied={varied} factors={factors} errors={errorsOf(draft)} onChange={(change) => patch(draft.key, change)} onRemove={() => onDrafts((present) => present.filter(({ key }) => key !== draft.key))} />
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </Card>
    </>
  );
}

interface RowProps {
  draft: LogDraft;
  round: number;
  varied: readonly KnownFactor[];
  factors: readonly KnownFactor[];
  errors: readonly FieldError[];
  onChange: (change: Partial<LogDraft>) => void;
  onRemove: () => void;
}

function Row({ draft, round, varied, factors, errors, onChange, onRemove }: RowProps) {
  const known = levelOptions(draft.levels, factors);
  const setLevel = (name: string, level: LevelOptions["level"]) => {
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
        <bdi>{draft.name}</bdi>{" "}
        <span className={table.quiet}>{t(draft.stderr ? "charactersAndStderr" : "characters", { count: draft.text.length, stderr: formatNumber(draft.stderr.length) })}</span>
        <FieldErrors errors={errors} />
      </th>
      {varied.map(({ name }) => {
        const options = known.get(name);
        return (
          <td key={name} data-label={factName(name)}>
            {options && <LevelChoice label={t("levelOf", { factor: factName(name), file: draft.name })} options={options} onLevel={(level) => setLevel(name, level)} />}
          </td>
        );
      })}
      <td data-label={t("round")}>
        <input aria-label={t("roundOf", { file: draft.name })} inputMode="numeric" value={draft.round ?? ""} placeholder={String(round)} onChange={(event) => setRound(event.target.value)} />
      </td>
      <td>
        <Button kind="ghost" aria-label={t("removeFile", { file: draft.name })} onClick={onRemove}>
          {t("remove")}
        </Button>
      </td>
    </tr>
  );
}

const OPEN = "open";
const NONE = "none";

/** The choice of a factor's level for a log, or that the factor does not apply. */
function LevelChoice({ label, options: { level, offered, optional }, onLevel }: { label: string; options: LevelOptions; onLevel: (level: LevelOptions["level"]) => void }) {
  const value = level === undefined ? OPEN : level === null ? NONE : String(offered.indexOf(level));
  const choose = (chosen: string) => onLevel(chosen === OPEN ? undefined : chosen === NONE ? null : offered[Number(chosen)]);
  return (
    <select aria-label={label} aria-invalid={level === undefined} value={value} disabled={offered.length === 0} onChange={(event) => choose(event.target.value)}>
      {offered.length > 0 && <option value={OPEN}>{t("choose")}</option>}
      {offered.map((each, index) => (
        <option key={String(each)} value={index}>
          {formatLevel(each)}
        </option>
      ))}
      {optional && <option value={NONE}>{t("notApplicable")}</option>}
    </select>
  );
}
