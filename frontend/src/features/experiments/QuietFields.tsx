import { useState } from "react";
import type { FieldError } from "@/api/client";
import type { ExperimentDocument } from "@/api/types";
import { errorsAt } from "@/components/fieldErrors";
import styles from "./DefinitionForm.module.css";
import { qualityOf, qualityTold, withQuality } from "./quality";
import { Count, OptionalCount } from "./TextFields";

interface Props {
  document: ExperimentDocument;
  onChange: (document: ExperimentDocument) => void;
  errors: readonly FieldError[];
}

/** Before which noise of the host a trial waits, and after which it is taken again. */
export function QuietFields({ document, onChange, errors }: Props) {
  const quality = qualityOf(document);
  const refused = errorsAt(errors, "/quality").length > 0;
  const [open, setOpen] = useState(document.quality != null);
  const at = (name: string) => errorsAt(errors, `/quality/${name}`);
  return (
    <details className={styles.more} open={open || refused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Quiet host<span className={styles.count}>, {document.quality == null ? "as usual" : "changed"}</span>
        <span className={styles.told}>{qualityTold(quality)}</span>
      </summary>
      <div className={styles.limits}>
        <p className={styles.about}>
          Limits on what lies outside client, server and proxy. A trial during which one is exceeded is contaminated: it is taken again in its round, and left out of every statistic if it stays so. No metric takes
          part in this rule, so it cannot select results.
        </p>
        <div className={styles.lists}>
          <Count label="Wait for a quiet host (s)" hint="at most, before each trial; 0: do not wait" value={quality.wait_for_quiet_s} errors={at("wait_for_quiet_s")} onChange={(wait_for_quiet_s) => onChange(withQuality(document, { wait_for_quiet_s }))} />
          <OptionalCount label="Other processes (cores)" hint="CPU that others on the host may use; empty: not judged" value={quality.max_other_cores} errors={at("max_other_cores")} onChange={(max_other_cores) => onChange(withQuality(document, { max_other_cores }))} />
          <OptionalCount label="Steal (share of the CPU)" hint="what the hypervisor may keep, 0.05 is 5 %; empty: not judged" value={quality.max_steal} errors={at("max_steal")} onChange={(max_steal) => onChange(withQuality(document, { max_steal }))} />
          <Count label="Take again at most" hint="times, a contaminated trial; 0: never" value={quality.retakes} errors={at("retakes")} onChange={(retakes) => onChange(withQuality(document, { retakes }))} />
        </div>
      </div>
    </details>
  );
}
