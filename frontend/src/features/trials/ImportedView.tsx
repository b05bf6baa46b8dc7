import type { ImportedRecord } from "@/api/generated";
import { trialImage } from "@/api/exports";
import { RateSeries } from "@/charts/TimeSeries";
import { Card } from "@/components/Card";
import { factName } from "@/components/factName";
import type { Rate } from "@/components/rates";
import { Note } from "@/components/Status";
import { NoticeList } from "@/components/NoticeList";
import { messages } from "@/messages";
import { Output } from "./Commands";
import { FactsCard, Headline } from "./Headline";
import { Latency } from "./Latency";

const t = messages("trials");

/** An imported trial: the tool's figures and the log. */
export function ImportedView({ record, rate }: { record: ImportedRecord; rate: Rate }) {
  const points = record.per_second ?? [];
  const facts = Object.entries({ ...record.versions, ...record.facts }).map(([name, value]) => [factName(name), value] as const);
  return (
    <>
      <Note tone="info">{t("imported", { tool: record.tool })}</Note>
      <NoticeList notices={record.notices ?? []} label={t("warnings")} />
      <Headline record={record} rate={rate} />
      {points.length > 0 && <RateSeries points={points} seconds={points.at(-1)?.t ?? 0} rate={rate} image={trialImage(record.trial_id, "rate")} />}
      <Latency record={record} trialId={record.trial_id} operations={rate.operations} />
      <Card title={t("log")} note={t("logNote")}>
        <Output name="stdout" text={record.stdout} open />
        <Output name="stderr" text={record.stderr} open={false} />
      </Card>
      <FactsCard title={t("versionsAndFacts")} facts={facts} />
    </>
  );
}
