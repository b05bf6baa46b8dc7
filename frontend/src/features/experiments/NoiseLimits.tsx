import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { Fold } from "./Fold";
import { qualityOf, formatQuality, withQuality } from "./quality";
import { Count, OptionalCount } from "./TextFields";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

/** The fields of the limits on host noise. */
export function NoiseLimits({ document, onChange, errors }: Props) {
  const quality = qualityOf(document);
  const refused = errorsAt(errors, "/quality").length > 0;
  const at = (name: string) => errorsAt(errors, `/quality/${name}`);
  return (
    <Fold
      title={t("noise")}
      note={formatQuality(quality)}
      isRefused={refused}
      isOpenAtFirst={document.quality != null}
    >
      <div className={styles.limits}>
        <p className={styles.about}>
          {t("noiseAbout")}
        </p>
        <div className={styles.lists}>
          <Count
            label={t("waitForQuiet")}
            hint={t("waitForQuietHint")}
            value={quality.wait_for_quiet_s}
            errors={at("wait_for_quiet_s")}
            onChange={(wait_for_quiet_s) => onChange(withQuality(document, { wait_for_quiet_s }))}
          />
          <OptionalCount
            label={t("otherCores")}
            hint={t("otherCoresHint")}
            value={quality.max_other_cores}
            errors={at("max_other_cores")}
            onChange={(max_other_cores) => onChange(withQuality(document, { max_other_cores }))}
          />
          <OptionalCount
            label={t("steal")}
            hint={t("stealHint")}
            value={quality.max_steal}
            errors={at("max_steal")}
            onChange={(max_steal) => onChange(withQuality(document, { max_steal }))}
          />
          <Count
            label={t("retakes")}
            hint={t("retakesHint")}
            value={quality.retakes}
            errors={at("retakes")}
            onChange={(retakes) => onChange(withQuality(document, { retakes }))}
          />
        </div>
      </div>
    </Fold>
  );
}
