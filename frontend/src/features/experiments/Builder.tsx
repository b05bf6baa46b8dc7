import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { ExperimentDraft } from "@/api/draft";
import { errorsOutside, fieldErrors } from "@/api/errors";
import type { PlanPreview } from "@/api/generated";
import { queries } from "@/api/queries";
import type { Factors } from "@/api/types";
import { CopyAsCode } from "@/components/CopyAsCode";
import { useDebounced } from "@/components/useDebounced";
import { useDefinition } from "@/components/useDefinition";
import { parseYaml, toYaml } from "@/components/yaml";
import { YamlEditor } from "@/components/YamlEditor";
import { messages } from "@/messages";
import styles from "./Builder.module.css";
import { DefinitionForm } from "./DefinitionForm";
import { DraftNotes } from "./DraftNotes";
import { Fold } from "./Fold";
import { FORM_POINTERS } from "./formPointers";
import { PlanBar } from "./PlanBar";
import { PlanDetails } from "./PlanDetails";
import { planRequest } from "./planRequest";
import { lostIn } from "./question";
import { showRefused } from "./showRefused";
import { useChosenHosts } from "./useChosenHosts";
import { useDraft } from "./useDraft";

const t = messages("experiments");
const p = messages("planBar");

interface Props {
  initial: ExperimentDraft;
  factors: Factors;
  /** What the definition begins as: drafts of it are found again. */
  source?: string;
}

/** The definition as form and YAML, and its plan in a bar that stays in view. */
export function Builder({ initial, factors, source = "new" }: Props) {
  const start = useMemo(() => ({ text: toYaml(initial), document: initial }), [initial]);
  const draft = useDraft(source, start.text);
  const good = useMemo(() => goodOf(draft.good), [draft.good]);
  const definition = useDefinition([draft.text, draft.setText], good ?? start);
  const { document, problem } = definition;
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const known = (hosts.data ?? []).filter(({ access }) => access !== "revoked");
  const chosen = useChosenHosts(known, document, factors);
  const [settled, settleNow] = useDebounced(document, 250);
  const plan = useQuery({
    ...queries.plan(settled, chosen.host, chosen.clientHost),
    enabled: !hosts.isPending,
    placeholderData: keepPreviousData,
  });
  const answer = useNewest(plan.data);
  const errors = fieldErrors(plan.error);
  const page = useRef<HTMLDivElement>(null);
  const bar = () => page.current?.querySelector<HTMLElement>("[data-plan-bar]");
  const toBar = (event: MouseEvent) => {
    event.preventDefault();
    bar()?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    settleNow();
    bar()?.focus();
  };
  // Half a word is no YAML yet: the form waits before it says so.
  const [settledProblem] = useDebounced(problem, 900);
  const stale = plan.isPlaceholderData || settled !== document || plan.isFetching;
  const refused = plan.error !== null;
  const host = known.find((each) => each.name === chosen.host);
  const shared = { document, onDocument: definition.onDocument, answer, stale, chosen };
  return (
    <div ref={page} className={styles.builder} onKeyDown={onKeyDown}>
      <a className={styles.skip} href="#run" onClick={toBar}>
        {t("toRun")}
      </a>
      <DraftNotes draft={draft} />
      <DefinitionForm
        definition={definition}
        problem={problem && settledProblem}
        {...{ factors, errors, host, chosen }}
      />
      <div className={styles.folds}>
        <PlanDetails {...shared} settled={settled} refused={refused || problem !== null} />
        <Fold title={t("yamlAndCode")} note={t("yamlNote")} isRefused={problem !== null} isLazy>
          <YamlEditor
            text={draft.text}
            onText={draft.setText}
            vocabulary={factors}
            {...{ problem, errors }}
          />
          {chosen.several && chosen.host && (
            <p className={styles.about}>{p("codeOneHost", { host: chosen.host })}</p>
          )}
          {problem === null && <CopyAsCode {...planRequest(document, chosen)} />}
        </Fold>
      </div>
      <PlanBar
        {...shared}
        error={plan.error}
        elsewhere={errorsOutside(errors, FORM_POINTERS)}
        blocked={problem !== null}
        lost={lostIn(document, factors) !== null}
        onShow={() => showRefused(page.current)}
        onStarted={draft.forget}
      />
    </div>
  );
}

/** Returns the newest plan: a request that fails or is slow leaves the last one in view. */
function useNewest(answer: PlanPreview | undefined): PlanPreview | undefined {
  const [newest, setNewest] = useState(answer);
  if (answer !== undefined && answer !== newest) setNewest(answer);
  return answer ?? newest;
}

/** Returns the definition of a text that could be parsed once. */
function goodOf(text: string | null) {
  const parsed = text === null ? null : parseYaml(text);
  if (text === null || !parsed || !("document" in parsed)) return null;
  return { text, document: parsed.document };
}
