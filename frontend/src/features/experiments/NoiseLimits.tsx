import { useState } from "react";
import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import styles from "./DefinitionForm.module.css";
import { qualityOf, formatQuality, withQuality } from "./quality";
import { Count, OptionalCount } from "./TextFields";

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

/** The fields of the limits on host noise. */
export function NoiseLimits({ document, onChange, errors }: Props) {
  const quality = qualityOf(document);
  const refused = errorsAt(errors, "/quality").length > 0;
  const [open, setOpen] = useState(document.quality != null);
  const at = (name: string) => errorsAt(errors, `/quality/${name}`);
  return (
    <details className={styles.more} open={open || refused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Limits on host noise<span className={styles.count}>, {document.quality == null ? "default" : "changed"}</span>
        <span className={styles.values}>{formatQuality(quality)}</span>
      </summary>
      <div className={styles.limits}>
        <p className={styles.about}>
          Limits on activity outside client, server and proxy. A trial that exceeds one is contaminated: it is repeated in its round, and excluded from all statistics if the last repeat is contaminated too. The rule uses no metric,
          so it cannot select results.
        </p>
        <div className={styles.lists}>
          <Count label="Wait for a quiet host (s)" hint="at most, before each trial; 0: do not wait" value={quality.wait_for_quiet_s} errors={at("wait_for_quiet_s")} onChange={(wait_for_quiet_s) => onChange(withQuality(document, { wait_for_quiet_s }))} />
          <OptionalCount label="Other processes (cores)" hint="CPU that other processes on the host may use; empty: no limit" value={quality.max_other_cores} errors={at("max_other_cores")} onChange={(max_other_cores) => onChange(withQuality(document, { max_other_cores }))} />
          <OptionalCount label="Steal (share of the CPU)" hint="CPU time that the hypervisor may withhold, 0.05 is 5 %; empty: no limit" value={quality.max_steal} errors={at("max_steal")} onChange={(max_steal) => onChange(withQuality(document, { max_steal }))} />
          <Count label="Repeat at most" hint="repeats of a contaminated trial; 0: never" value={quality.retakes} errors={at("retakes")} onChange={(retakes) => onChange(withQuality(document, { retakes }))} />
        </div>
      </div>
    </details>
  );
}
