import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { errorsAt, fieldErrors, type FieldError } from "@/api/errors";
import { queries } from "@/api/queries";
import { LONG_LIMIT } from "@/api/transport";
import { bodyOf, draftOf, type ExperimentDraft } from "@/api/draft";
import { importRun, type ImportStart } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { plural } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { Select } from "@/components/Select";
import { Note } from "@/components/Status";
import { useRequestKey } from "@/components/useRequestKey";
import { useTitle } from "@/components/useTitle";
import { YamlEditor } from "@/components/YamlEditor";
import styles from "./ImportPage.module.css";
import { environmentOf, strayLines } from "./environment";
import { logsOf, missingOf, type LogDraft } from "./logs";
import { LogTable } from "./LogTable";
import { factorsOf } from "./products";
import { currentErrors, experimentErrors, logErrors, unplacedErrors } from "./importErrors";

const OWN = "";
/** The definition that an import begins with. */
const BLANK: ExperimentDraft = {
  api_version: "plimsoll/v1",
  name: "imported",
  title: "Imported logs",
  factors: { path: ["same_container", "published_loopback"], userland_proxy: [true], tool: ["pgbench"], service: ["postgres"] },
  rounds: 10,
  baseline: { path: "same_container" },
  metrics: ["tps"],
  margin: 0.05,
};

/** Old logs become a run: its definition, where it was measured, and one file a trial. */
export function ImportPage() {
  useTitle("Import logs");
  const navigate = useNavigate();
  const [document, setDocument] = useState(BLANK);
  const [preset, setPreset] = useState(OWN);
  const [problem, setProblem] = useState<string | null>(null);
  const [host, setHost] = useState("");
  const [environment, setEnvironment] = useState("");
  const [drafts, setDrafts] = useState<LogDraft[]>([]);
  // What was sent last: a refusal names a log by its index in it.
  const [sent, setSent] = useState<readonly LogDraft[]>([]);
  const hosts = useQuery(queries.hosts());
  const vocabulary = useQuery(queries.factors());
  const presets = useQuery(queries.presets());
  const keyOf = useRequestKey();
  const send = useMutation({ mutationFn: (start: ImportStart) => importRun({ body: start, headers: { "idempotency-key": keyOf(start) }, ...LONG_LIMIT }), onSuccess: (run) => navigate(`/runs/${run.id}`) });
  const refused = fieldErrors(send.error);
  const errors = currentErrors(refused, sent, drafts);
  const factors = factorsOf(document, vocabulary.data);
  const logs = logsOf(drafts, factors);
  const stray = strayLines(environment);
  const choose = (name: string) => {
    setPreset(name);
    setProblem(null);
    const preset = presets.data?.find((each) => each.name === name);
    setDocument(preset ? draftOf(preset.definition) : BLANK);
  };
  const submit = () => {
    if (logs === null) return;
    const facts = environmentOf(environment);
    setSent(drafts);
    send.mutate({ host: host.trim(), experiment: bodyOf(document), logs, ...(Object.keys(facts).length > 0 && { environment: facts }) });
  };
  const ready = problem === null && host.trim() !== "" && drafts.length > 0 && logs !== null;
  return (
    <>
      <PageHead
        crumbs={[{ label: "Start", to: "/" }, { label: "Import logs" }]}
        title="Import logs"
        meta="Output of tools that ran earlier, by hand or by a script, with the same statistics and charts. Marked as imported: without evidence of the path and without CPU by role."
        actions={
          <Button kind="primary" disabled={!ready} busy={send.isPending} onClick={submit}>
            {drafts.length === 0 ? "Import" : `Import ${plural(drafts.length, "log")}`}
          </Button>
        }
      />
      {send.error && (errors.length > 0 || refused.length === 0) && <Refused error={send.error} errors={errors} />}
      {drafts.length > 0 && logs === null && <Note tone="info">Each log needs a level of every varied factor that applies to it. Still to be chosen: {missingOf(drafts, factors).join(", ")}.</Note>}
      <div className={styles.columns}>
        <Card
          title="Definition"
          note="What was varied, as an experiment; factors with several levels distinguish the logs"
          actions={<Select label="Begin with" options={[{ value: OWN, label: "Begin with an empty one" }, ...(presets.data ?? []).map(({ name, title }) => ({ value: name, label: title }))]} value={preset} onChange={choose} />}
        >
          <YamlEditor key={preset} document={document} onDocument={setDocument} problem={problem} onProblem={setProblem} errors={experimentErrors(errors)} />
        </Card>
        <div className={styles.side}>
          <Card title="Host and environment">
            <div className={styles.fields}>
              <Field label="Host" hint="the name under which its runs are listed" errors={errorsAt(errors, "/host")}>
                {(ids) => (
                  <>
                    <input {...ids} value={host} list="known-hosts" spellCheck={false} onChange={(event) => setHost(event.target.value)} />
                    <datalist id="known-hosts">{hosts.data?.map(({ name }) => <option key={name} value={name} />)}</datalist>
                  </>
                )}
              </Field>
              <Field label="Environment, if known" hint="one fact per line, for example kernel: 6.1" errors={errorsAt(errors, "/environment")}>
                {(ids) => <textarea {...ids} rows={4} className={styles.text} value={environment} spellCheck={false} onChange={(event) => setEnvironment(event.target.value)} />}
              </Field>
              {stray.length > 0 && (
                <Note tone="warn">
                  Not sent, because a fact is a name, a colon and a value: {stray.map((line) => `“${line}”`).join(", ")}.
                </Note>
              )}
            </div>
          </Card>
        </div>
      </div>
      <LogTable drafts={drafts} factors={factors} errorsOf={(draft) => logErrors(errors, sent, draft)} onDrafts={setDrafts} />
    </>
  );
}

/** Why nothing was imported: refusals that no field shows, and how many fields are marked. */
function Refused({ error, errors }: { error: Error; errors: readonly FieldError[] }) {
  const errorsOutside = unplacedErrors(errors);
  return (
    <Note tone="bad">
      <strong>Not imported: </strong>
      {errors.length > errorsOutside.length ? `${plural(errors.length - errorsOutside.length, "value is", "values are")} not allowed; they are marked below.` : errorsOutside.length === 0 && error.message}
      {errorsOutside.map((each) => (
        <p key={each.pointer + each.detail}>
          <code>{each.pointer || "/"}</code> {each.detail}
        </p>
      ))}
    </Note>
  );
}
