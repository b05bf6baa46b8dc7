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
import { RoleHint } from "@/components/RoleHint";
import { Select } from "@/components/Select";
import { Note } from "@/components/Status";
import { useDefinition } from "@/components/useDefinition";
import { useKept } from "@/components/useKept";
import { useMay } from "@/components/useMay";
import { useRequestKey } from "@/components/useRequestKey";
import { useTitle } from "@/components/useTitle";
import { toYaml } from "@/components/yaml";
import { YamlEditor } from "@/components/YamlEditor";
import styles from "./ImportPage.module.css";
import { environmentOf, ignoredLines } from "./environment";
import { logsOf, missingOf, type LogDraft } from "./logs";
import { LogTable } from "./LogTable";
import { factorsOf } from "./products";
import { currentErrors, experimentErrors, generalErrors, logErrors } from "./importErrors";

const OWN = "";
/** The initial definition. */
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
const BLANK_TEXT = toYaml(BLANK);

/** The page that imports logs as a run: definition, host, environment, and one file per trial. */
export function ImportPage() {
  useTitle("Import logs");
  const navigate = useNavigate();
  const definition = useDefinition(useKept("definition", BLANK_TEXT), { text: BLANK_TEXT, document: BLANK });
  const { document, problem } = definition;
  const [preset, setPreset] = useKept("preset", OWN);
  const [host, setHost] = useKept("host", "");
  const [environment, setEnvironment] = useKept("environment", "");
  const [drafts, setDrafts] = useKept<LogDraft[]>("logs", []);
  // The drafts of the last request: errors name a log by its index.
  const [sent, setSent] = useState<readonly LogDraft[]>([]);
  const hosts = useQuery(queries.hosts());
  const vocabulary = useQuery(queries.factors());
  const presets = useQuery(queries.presets());
  const mayWrite = useMay("write");
  const keyOf = useRequestKey();
  const send = useMutation({ mutationFn: (start: ImportStart) => importRun({ body: start, headers: { "idempotency-key": keyOf(start) }, ...LONG_LIMIT }), onSuccess: (run) => navigate(`/runs/${run.id}`) });
  const refused = fieldErrors(send.error);
  const errors = currentErrors(refused, sent, drafts);
  const factors = factorsOf(document, vocabulary.data);
  const logs = logsOf(drafts, factors);
  const stray = ignoredLines(environment);
  const choose = (name: string) => {
    setPreset(name);
    const preset = presets.data?.find((each) => each.name === name);
    definition.onText(preset ? toYaml(draftOf(preset.definition)) : BLANK_TEXT);
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
        meta="Imports the output of tools that ran without Plimsoll, for the same statistics and charts. The run is marked as imported: it has no evidence of the path and no CPU by role."
        actions={
          mayWrite ? (
            <Button kind="primary" disabled={!ready} busy={send.isPending} onClick={submit}>
              {drafts.length === 0 ? "Import" : `Import ${plural(drafts.length, "log")}`}
            </Button>
          ) : (
            <RoleHint what="import these logs" />
          )
        }
      />
      {send.error && (errors.length > 0 || refused.length === 0) && <Refused error={send.error} errors={errors} />}
      {drafts.length > 0 && logs === null && <Note tone="info">Each log needs a level of every varied factor that applies to it. Missing: {missingOf(drafts, factors).join(", ")}.</Note>}
      <div className={styles.columns}>
        <Card
          title="Definition"
          note="The experiment of the logs; factors with several levels distinguish them"
          actions={<Select label="Initial definition" options={[{ value: OWN, label: "Empty definition" }, ...(presets.data ?? []).map(({ name, title }) => ({ value: name, label: title }))]} value={preset} onChange={choose} />}
        >
          <YamlEditor text={definition.text} onText={definition.onText} problem={problem} errors={experimentErrors(errors)} vocabulary={vocabulary.data} />
        </Card>
        <div className={styles.side}>
          <Card title="Host and environment">
            <div className={styles.fields}>
              <Field label="Host" hint="name of the host in the list of runs" errors={errorsAt(errors, "/host")}>
                {(ids) => (
                  <>
                    <input {...ids} value={host} list="known-hosts" spellCheck={false} onChange={(event) => setHost(event.target.value)} />
                    <datalist id="known-hosts">{hosts.data?.map(({ name }) => <option key={name} value={name} />)}</datalist>
                  </>
                )}
              </Field>
              <Field label="Environment (optional)" hint="one fact per line, for example kernel: 6.1" errors={errorsAt(errors, "/environment")}>
                {(ids) => <textarea {...ids} rows={4} className={styles.text} value={environment} spellCheck={false} onChange={(event) => setEnvironment(event.target.value)} />}
              </Field>
              {stray.length > 0 && (
                <Note tone="warn">
                  Ignored, because a fact is a name, a colon and a value: {stray.map((line) => `“${line}”`).join(", ")}.
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

/** Why nothing was imported: the number of marked fields, and the errors that no field shows. */
function Refused({ error, errors }: { error: Error; errors: readonly FieldError[] }) {
  const general = generalErrors(errors);
  return (
    <Note tone="bad">
      <strong>Not imported: </strong>
      {errors.length > general.length ? `${plural(errors.length - general.length, "value is", "values are")} not allowed; they are marked below.` : general.length === 0 && error.message}
      {general.map((each) => (
        <p key={each.pointer + each.detail}>
          <code>{each.pointer || "/"}</code> {each.detail}
        </p>
      ))}
    </Note>
  );
}
