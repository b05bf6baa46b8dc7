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
import { messages } from "@/messages";
import styles from "./ImportPage.module.css";
import { environmentOf, ignoredLines } from "./environment";
import { logsOf, missingOf, type LogDraft } from "./logs";
import { LogTable } from "./LogTable";
import { factorsOf } from "./products";
import { currentErrors, experimentErrors, generalErrors, logErrors } from "./importErrors";

const t = messages("imports");

const COPY = "identical_log";
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
  useTitle(t("importLogs"));
  const navigate = useNavigate();
  const definition = useDefinition(useKept("definition-text", BLANK_TEXT), { text: BLANK_TEXT, document: BLANK });
  const { document, problem } = definition;
  const [preset, setPreset] = useKept("preset", OWN);
  const [host, setHost] = useKept("host", "");
  const [environment, setEnvironment] = useKept("environment", "");
  const [drafts, setDrafts] = useKept<LogDraft[]>("logs", []);
  // The drafts of the last request: errors name a log by its index.
  const [sent, setSent] = useState<readonly LogDraft[]>([]);
  const [identical, setIdentical] = useState(false);
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
    send.mutate({
      host: host.trim(),
      experiment: bodyOf(document),
      logs,
      ...(Object.keys(facts).length > 0 && { environment: facts }),
      ...(identical && { allow_identical: true }),
    });
  };
  const ready = problem === null && host.trim() !== "" && drafts.length > 0 && logs !== null;
  return (
    <>
      <PageHead
        crumbs={[{ label: t("start"), to: "/" }, { label: t("importLogs") }]}
        title={t("importLogs")}
        meta={t("about")}
        actions={
          mayWrite ? (
            <Button kind="primary" disabled={!ready} busy={send.isPending} onClick={submit}>
              {drafts.length === 0 ? t("import") : t("importCount", { count: drafts.length })}
            </Button>
          ) : (
            <RoleHint what={t("roleHint")} />
          )
        }
      />
      {send.error && (errors.length > 0 || refused.length === 0) && <Refused error={send.error} errors={errors} />}
      {(identical || refused.some(({ code }) => code === COPY)) && (
        <label>
          <input type="checkbox" checked={identical} onChange={(event) => setIdentical(event.target.checked)} /> {t("allowIdentical")}
        </label>
      )}
      {drafts.length > 0 && logs === null && <Note tone="info">{t("missing", { factors: missingOf(drafts, factors).join(", ") })}</Note>}
      <div className={styles.columns}>
        <Card
          title={t("definition")}
          note={t("definitionNote")}
          actions={<Select label={t("initialDefinition")} options={[{ value: OWN, label: t("emptyDefinition") }, ...(presets.data ?? []).map(({ name, title }) => ({ value: name, label: title }))]} value={preset} onChange={choose} />}
        >
          <YamlEditor text={definition.text} onText={definition.onText} problem={problem} errors={experimentErrors(errors)} vocabulary={vocabulary.data} />
        </Card>
        <div className={styles.side}>
          <Card title={t("hostAndEnvironment")}>
            <div className={styles.fields}>
              <Field label={t("host")} hint={t("hostHint")} errors={errorsAt(errors, "/host")}>
                {(ids) => (
                  <>
                    <input {...ids} value={host} list="known-hosts" spellCheck={false} onChange={(event) => setHost(event.target.value)} />
                    <datalist id="known-hosts">{hosts.data?.map(({ name }) => <option key={name} value={name} />)}</datalist>
                  </>
                )}
              </Field>
              <Field label={t("environment")} hint={t("environmentHint")} errors={errorsAt(errors, "/environment")}>
                {(ids) => <textarea {...ids} rows={4} className={styles.text} value={environment} spellCheck={false} onChange={(event) => setEnvironment(event.target.value)} />}
              </Field>
              {stray.length > 0 && (
                <Note tone="warn">
                  {t("ignored", { lines: stray.map((line) => `“${line}”`).join(", ") })}
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
      <strong>{t("notImported")}</strong>{" "}
      {errors.length > general.length ? t("marked", { count: errors.length - general.length }) : general.length === 0 && <bdi>{error.message}</bdi>}
      {general.map((each) => (
        <p key={each.pointer + each.detail}>
          <code>{each.pointer || "/"}</code> <bdi>{each.detail}</bdi>
        </p>
      ))}
    </Note>
  );
}
