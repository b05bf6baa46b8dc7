import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "@/api/queries";
import type { ExperimentDraft } from "@/api/draft";
import type { Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Note } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import styles from "./Builder.module.css";
import { DefinitionForm } from "./DefinitionForm";
import { FORM_POINTERS } from "./formPointers";
import { fieldErrors, unplaced } from "@/api/errors";
import { PlanPane } from "./PlanPane";
import { useDebounced } from "./useDebounced";
import { YamlEditor } from "@/components/YamlEditor";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "yaml", label: "YAML" },
] as const;

/** The definition, as form or YAML, beside the plan that follows from it. */
export function Builder({ initial, factors }: { initial: ExperimentDraft; factors: Factors }) {
  const [document, setDocument] = useState(initial);
  const [view, setView] = useState<"form" | "yaml">("form");
  const [problem, setProblem] = useState<string | null>(null);
  // The form was asked for while the text cannot be parsed: the text is kept, with a note.
  const [refusedForm, setRefusedForm] = useState(false);
  // The editor keeps its own text: a document from elsewhere needs a new editor.
  const [revision, setRevision] = useState(0);
  const replace = (next: ExperimentDraft) => {
    setDocument(next);
    setRevision(revision + 1);
    setProblem(null);
  };
  const show = (next: "form" | "yaml") => {
    const refused = next === "form" && problem !== null;
    setRefusedForm(refused);
    if (!refused) setView(next);
  };
  const discard = () => {
    setProblem(null);
    setRefusedForm(false);
    setView("form");
  };
  const [chosen, setHost] = useState<string | null>(null);
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const host = chosen ?? hosts.data?.find((each) => each.online)?.name ?? hosts.data?.[0]?.name;
  const settled = useDebounced(document, 250);
  const plan = useQuery({
    ...queries.plan(settled, host),
    enabled: !hosts.isPending,
    placeholderData: keepPreviousData,
  });
  const errors = fieldErrors(plan.error);
  // The YAML editor lists every refusal below its text.
  const elsewhere = view === "form" ? unplaced(errors, FORM_POINTERS) : [];
  return (
    <div className={styles.builder}>
      <Card
        title="Definition"
        note="What is varied, and how often"
        actions={<Toggle label="Definition as" options={VIEWS} value={view} onChange={show} />}
      >
        {view === "form" ? (
          <DefinitionForm document={document} onChange={setDocument} factors={factors} errors={errors} host={hosts.data?.find((each) => each.name === host)} />
        ) : (
          <>
            {refusedForm && problem !== null && (
              <Note tone="warn">
                The form cannot show a text that cannot be parsed. Correct it, or go back to the last version that could be parsed.{" "}
                <Button onClick={discard}>Discard this text and show the form</Button>
              </Note>
            )}
            <YamlEditor key={revision} document={document} onDocument={setDocument} problem={problem} onProblem={setProblem} errors={errors} />
          </>
        )}
      </Card>
      <PlanPane
        document={document}
        settled={settled}
        onDocument={replace}
        answer={plan.data}
        stale={plan.isPlaceholderData || settled !== document || plan.isFetching}
        error={plan.error}
        elsewhere={elsewhere}
        marked={errors.length - elsewhere.length}
        blocked={problem !== null}
        hosts={hosts.data ?? []}
        host={host}
        onHost={setHost}
      />
    </div>
  );
}
