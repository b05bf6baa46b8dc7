import { useState } from "react";
import { fieldErrors } from "@/api/errors";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Field } from "@/components/Field";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./LibraryPage.module.css";
import { useViews } from "./useLibrary";

const t = messages("library");

/** The saved searches of the account and its team, and a dialog that saves the current one. */
export function SavedViews({ query, onOpen }: { query: string; onOpen: (query: string) => void }) {
  const { views, save, remove } = useViews();
  const mayWrite = useMay("write");
  const [name, setName] = useState<string | null>(null);
  const [shared, setShared] = useState(false);
  const saved = views.data ?? [];
  const submit = () => save.mutate({ name: name ?? "", query, shared }, { onSuccess: () => setName(null) });
  if (saved.length === 0 && !query) return null;
  return (
    <div className={styles.views} role="group" aria-label={t("views")}>
      {saved.map((view) => (
        <span key={view.id} className={styles.view} data-current={view.query === query || undefined}>
          <button type="button" aria-current={view.query === query} title={view.shared ? t("viewOfTeam", { query: view.query }) : view.query} onClick={() => onOpen(view.query)}>
            {view.name}
          </button>
          {(view.own || mayWrite) && (
            <button type="button" aria-label={t("deleteView", { name: view.name })} disabled={remove.isPending} onClick={() => remove.mutate(view.id)}>
              ×
            </button>
          )}
        </span>
      ))}
      {query && !saved.some((view) => view.query === query) && (
        <Button kind="ghost" onClick={() => setName("")}>{t("saveView")}</Button>
      )}
      {remove.error && <Note tone="bad">{remove.error.message}</Note>}
      <Dialog
        title={t("saveViewTitle")}
        open={name !== null}
        onClose={() => setName(null)}
        actions={
          <>
            <Button onClick={() => setName(null)}>{t("cancel")}</Button>
            <Button kind="primary" busy={save.isPending} disabled={!name?.trim()} onClick={submit}>{t("save")}</Button>
          </>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name?.trim()) submit();
          }}
        >
          <Field label={t("viewName")} hint={query} errors={fieldErrors(save.error)}>
            {(ids) => <input {...ids} value={name ?? ""} maxLength={80} autoFocus onChange={(event) => setName(event.target.value)} />}
          </Field>
          {mayWrite && (
            <label className={styles.check}>
              <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} /> {t("viewShared")}
            </label>
          )}
        </form>
        {save.error && fieldErrors(save.error).length === 0 && <Note tone="bad">{save.error.message}</Note>}
      </Dialog>
    </div>
  );
}
