import { useId, useState } from "react";
import type { Factor } from "@/api/types";
import { formatLevel } from "@/components/format";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./DefinitionForm.module.css";
import { isSet, levelsOf } from "./document";
import { FactorField } from "./FactorField";
import type { FactorProps } from "./factorProps";
import { errorsAt } from "@/api/errors";
import { factorGroups, type FactorGroup } from "./groups";
import { offered } from "./nesting";

const t = messages("experiments");

type Props = Omit<FactorProps, "factor">;

/** The fields of all applicable factors, by group. */
export function FactorGroups(props: Props) {
  const groups = factorGroups(offered(props.document, props.vocabulary));
  return groups.map((group) => <Group key={group.title} group={group} {...props} />);
}

function Group({ group, ...rest }: Props & { group: FactorGroup }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const refused = group.more.some((factor) => errorsAt(rest.errors, `/factors/${factor.name}`).length > 0);
  const fields = (factors: readonly Factor[]) => (
    <div className={styles.fields}>
      {factors.map((factor) => (
        <FactorField key={factor.name} factor={factor} {...rest} />
      ))}
    </div>
  );
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id}>{t(group.title)}</h3>
      {group.first.length > 0 && fields(group.first)}
      {group.more.length > 0 && (
        // A group with an error is open.
        <details className={styles.more} open={open || refused} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <ChangedSettings document={rest.document} factors={group.more} isMore={group.first.length > 0} />
          </summary>
          {fields(group.more)}
        </details>
      )}
    </section>
  );
}

/** The number of settings, and those that differ from their default with their levels. */
function ChangedSettings({ document, factors, isMore }: Pick<Props, "document"> & { factors: readonly Factor[]; isMore: boolean }) {
  const set = factors.filter((factor) => isSet(document, factor));
  const id = set.length === 0 ? (isMore ? "moreSettingsDefault" : "settingsDefault") : isMore ? "moreSettingsSet" : "settingsSet";
  const count = <RichText namespace="experiments" id={id} values={{ count: factors.length, set: set.length }} parts={{ quiet: <span className={styles.count} /> }} />;
  if (set.length === 0) return count;
  const values = set.map((factor) => `${factor.label} ${levelsOf(document, factor).map(formatLevel).join(", ")}${factor.unit ? ` ${factor.unit}` : ""}`);
  return (
    <>
      {count}
      <span className={styles.values}>{values.join(" · ")}</span>
    </>
  );
}
