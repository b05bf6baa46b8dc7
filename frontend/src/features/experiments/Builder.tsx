import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { ExperimentDraft } from "@/api/draft";
import { errorsOutside, fieldErrors } from "@/api/errors";
import { queries } from "@/api/queries";
import type { Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Note } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import { useDebounced } from "@/components/useDebounced";
import { useDefinition, type Definition } from "@/components/useDefinition";
import { useMedia } from "@/components/useMedia";
import { parseYaml, toYaml } from "@/components/yaml";
import { YamlEditor } from "@/components/YamlEditor";
import { messages } from "@/messages";
import styles from "./Builder.module.css";
import { DefinitionForm } from "./DefinitionForm";
import { DraftNotes } from "./DraftNotes";
import { FORM_POINTERS } from "./formPointers";
import { PlanPane } from "./PlanPane";
import { useChosenHosts } from "./useChosenHosts";
import { useDraft } from "./useDraft";

const t = messages("experiments");

/** From this width on, form and YAML are beside each other. */
const WIDE = "(min-width: 981px)";

interface Props {
  initial: ExperimentDraft;
  factors: Factors;
  /** What the definition begins as: drafts of it are found again. */
  source?: string;
}

/** The definition as form and YAML, and its plan. */
export function Builder({ initial, factors, source = "new" }: Props) {
  const start = useMemo(() => ({ text: toYaml(initial), document: initial }), [initial]);
  const draft = useDraft(source, start.text);
  const good = useMemo(() => goodOf(draft.good), [draft.good]);
  const definition = useDefinition([draft.text, draft.setText], good ?? start);
  const { document, problem } = definition;
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const chosen = useChosenHosts((hosts.data ?? []).filter(({ access }) => access !== "revoked"), document, factors);
  const [settled, settleNow] = useDebounced(document, 250);
  const plan = useQuery({
    ...queries.plan(settled, chosen.host, chosen.clientHost),
    enabled: !hosts.isPending,
    placeholderData: keepPreviousData,
  });
  const errors = fieldErrors(plan.error);
  const wide = useMedia(WIDE);
  const [view, setView] = useState<"form" | "yaml">("form");
  // The editor lists all errors itself.
  const elsewhere = view === "form" && !wide ? errorsOutside(errors, FORM_POINTERS) : [];
  const pane = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    settleNow();
    pane.current?.focus();
  };
  // Half a word is no YAML yet: the form waits before it says so.
  const [settledProblem] = useDebounced(problem, 900);
  const form = <DefinitionForm definition={definition} problem={problem && settledProblem} factors={factors} errors={errors} host={hosts.data?.find((each) => each.name === chosen.host)} />;
  const editor = <YamlEditor text={draft.text} onText={draft.setText} problem={problem} errors={errors} vocabulary={factors} />;
  return (
    <div className={styles.builder} onKeyDown={onKeyDown}>
      <DraftNotes draft={draft} />
      {wide ? (
        <Card title={t("definition")} note={t("definitionNote")}>
          {form}
        </Card>
      ) : (
        <Views view={view} onView={setView} definition={definition} form={form} editor={editor} />
      )}
      <div className={styles.side}>
        {wide && (
          <Card title={t("viewYaml")} note={t("yamlNote")}>
            <div className={styles.yaml}>{editor}</div>
          </Card>
        )}
        <div ref={pane} tabIndex={-1} role="group" aria-label={t("plan")} className={styles.pane}>
          <PlanPane
            document={document}
            settled={settled}
            onDocument={definition.onDocument}
            answer={plan.data}
            stale={plan.isPlaceholderData || settled !== document || plan.isFetching}
            error={plan.error}
            elsewhere={elsewhere}
            marked={errors.length - elsewhere.length}
            blocked={problem !== null}
            chosen={chosen}
            onStarted={draft.forget}
          />
        </div>
      </div>
    </div>
  );
}

/** Returns the definition of a text that could be parsed once. */
function goodOf(text: string | null) {
  const parsed = text === null ? null : parseYaml(text);
  return text !== null && parsed && "document" in parsed ? { text, document: parsed.document } : null;
}

interface ViewsProps {
  view: "form" | "yaml";
  onView: (view: "form" | "yaml") => void;
  definition: Definition;
  form: React.ReactNode;
  editor: React.ReactNode;
}

/** Form or YAML, where there is no room for both. A text that cannot be parsed stays in view until it is corrected or discarded. */
function Views({ view, onView, definition, form, editor }: ViewsProps) {
  const { problem, discard } = definition;
  const [refusedForm, setRefusedForm] = useState(false);
  const show = (next: "form" | "yaml") => {
    const refused = next === "form" && problem !== null;
    setRefusedForm(refused);
    if (!refused) onView(next);
  };
  const discardText = () => {
    discard();
    setRefusedForm(false);
    onView("form");
  };
  const options = [
    { value: "form", label: t("viewForm") },
    { value: "yaml", label: t("viewYaml") },
  ] as const;
  return (
    <Card title={t("definition")} note={t("definitionNote")} actions={<Toggle label={t("viewLabel")} options={options} value={view} onChange={show} />}>
      {view === "form" ? (
        form
      ) : (
        <>
          {refusedForm && problem !== null && (
            <Note tone="warn">
              {t("refusedForm")} <Button onClick={discardText}>{t("discardAndShow")}</Button>
            </Note>
          )}
          {editor}
        </>
      )}
    </Card>
  );
}
