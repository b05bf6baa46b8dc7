import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { draftOf } from "@/api/draft";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { Builder } from "./Builder";
import { blankDocument } from "./document";
import { withOneQuestion } from "./question";
import { StorageNote } from "./StorageNote";

const t = messages("experiments");

/** The page of a new experiment: empty, or from a preset or an earlier experiment. */
export function NewPage() {
  useTitle(t("newExperiment"));
  const crumbs = [{ label: t("start"), to: "/" }, { label: t("newExperiment") }];
  const [query] = useSearchParams();
  const presetName = query.get("preset");
  const experimentId = query.get("experiment");
  const factors = useQuery(queries.factors());
  const presets = useQuery(queries.presets());
  // What the form says of a host has its room from the start.
  const hosts = useQuery(queries.hosts());
  const source = useQuery({
    ...queries.experiment(experimentId ?? ""),
    enabled: experimentId !== null,
  });
  // What was typed about an experiment that somebody deleted is still this browser's draft.
  const isDeleted = source.error instanceof ApiError && source.error.status === 404;
  const failed = [factors, presets, ...(isDeleted ? [] : [source])].find(
    (each) => each.isError && !each.data,
  );
  const ready =
    factors.data &&
    presets.data &&
    !hosts.isPending &&
    (experimentId === null || source.data || isDeleted);
  if (failed)
    return (
      <>
        <PageHead crumbs={crumbs} title={t("newExperiment")} />
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      </>
    );
  if (!ready)
    return (
      <>
        <PageHead crumbs={crumbs} title={t("newExperiment")} />
        <Loading label={t("loadingForm")} rows={8} />
      </>
    );
  const preset = presets.data.find((each) => each.name === presetName);
  const definition = source.data?.definition ?? preset?.definition;
  const document = definition
    ? withOneQuestion(draftOf(definition), factors.data)
    : blankDocument(factors.data.factors);
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={
          preset?.title ??
          (source.data ? t("again", { title: source.data.title }) : t("newExperiment"))
        }
        meta={
          <>
            <span>{preset?.summary ?? t("newAbout")}</span>
            {source.data && (
              <Link to={`/experiments/${source.data.id}/history`}>{t("history")}</Link>
            )}
            {source.data && (
              <Link to={`/schedules?experiment=${source.data.id}`}>{t("schedules")}</Link>
            )}
          </>
        }
      />
      <StorageNote />
      {isDeleted && <Note tone="warn">{t("experimentGone")}</Note>}
      {presetName && !preset && <Note tone="warn">{t("noPreset", { name: presetName })}</Note>}
      <Builder
        key={`${presetName} ${experimentId}`}
        initial={document}
        factors={factors.data}
        source={
          preset
            ? `preset:${preset.name}`
            : experimentId === null
              ? "new"
              : `experiment:${experimentId}`
        }
      />
    </>
  );
}
