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
import { fieldErrors, errorsOutside } from "@/api/errors";
import { PlanPane } from "./PlanPane";
import { useChosenHosts } from "./useChosenHosts";
import { useDebounced } from "./useDebounced";
import { useKept } from "@/components/useKept";
import { YamlEditor } from "@/components/YamlEditor";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "yaml", label: "YAML" },
] as const;

/** The definition as form or YAML, and its plan. */
export function Builder({ initial, factors }: { initial: ExperimentDraft; factors: Factors }) {
  const [document, setDocument] = useKept("definition", initial);
  const [view, setView] = useState<"form" | "yaml">("form");
  const [problem, setProblem] = useState<string | null>(null);
  // Set where the user chose the form while the text cannot be parsed: the text stays, with a note.
  const [refusedForm, setRefusedForm] = useState(false);
  // The editor keeps its own text, so a replaced document needs a new editor.
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
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const chosen = useChosenHosts((hosts.data ?? []).filter(({ access }) => access !== "revoked"), document, factors);
  const settled = useDebounced(document, 250);
  const plan = useQuery({
    ...queries.plan(settled, chosen.host, chosen.clientHost),
    enabled: !hosts.isPending,
    placeholderData: keepPreviousData,
  });
  const errors = fieldErrors(plan.error);
  // The YAML editor lists all errors itself.
  const elsewhere = view === "form" ? errorsOutside(errors, FORM_POINTERS) : [];
  return (
    <div className={styles.builder}>
      <Card
        title="Definition"
        note="Factors with their levels, rounds and limits"
        actions={<Toggle label="Definition as" options={VIEWS} value={view} onChange={show} />}
      >
        {view === "form" ? (
          <DefinitionForm document={document} onChange={setDocument} factors={factors} errors={errors} host={hosts.data?.find((each) => each.name === chosen.host)} />
        ) : (
          <>
            {refusedForm && problem !== null && (
              <Note tone="warn">
                This text cannot be parsed, so the form cannot show it. Correct it, or return to the last version that could be parsed.{" "}
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
        chosen={chosen}
      />
    </div>
  );
}
