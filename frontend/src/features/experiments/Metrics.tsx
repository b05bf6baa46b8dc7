import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { Factors } from "@/api/types";
import { Chip, ChipField } from "@/components/Field";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { Fold } from "./Fold";
import { reportedMetrics } from "./nesting";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

/** The metrics of the chosen tools, and chosen ones that are unknown, which can be removed. */
export function Metrics({ document, onChange, factors, errors }: Props) {
  const chosen = Array.isArray(document.metrics) ? document.metrics : [];
  const offered = reportedMetrics(document, factors);
  const known = (name: string) => factors.metrics.find((metric) => metric.name === name);
  const label = (name: string) => known(name)?.label ?? name;
  const unknown = chosen.filter((name) => !offered.some((metric) => metric.name === name));
  const names = [...offered.map((metric) => metric.name), ...unknown];
  const found = errorsAt(errors, "/metrics");
  const [first] = chosen;
  const others = chosen.length - 1;
  const one = first === undefined ? t("metricsNone") : label(first);
  const note = others > 0 ? t("metricsNote", { metric: one, count: others }) : one;
  const toggle = (name: string) => {
    const rest = chosen.filter((other) => other !== name);
    onChange({ ...document, metrics: chosen.includes(name) ? rest : [...chosen, name] });
  };
  return (
    <Fold title={t("metrics")} note={note} isRefused={found.length > 0}>
      <ChipField
        label={t("metrics")}
        count={t("chosenOf", { count: chosen.length, of: formatNumber(offered.length) })}
        errors={found}
        hint={first === undefined ? t("metricsNone") : t("metricsHint", { metric: label(first) })}
      >
        {names.map((name) => (
          <Chip key={name} on={chosen.includes(name)} onToggle={() => toggle(name)}>
            {label(name)}
          </Chip>
        ))}
      </ChipField>
    </Fold>
  );
}
