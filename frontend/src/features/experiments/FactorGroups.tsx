import { useId, useState } from "react";
import type { Factor } from "@/api/types";
import { formatLevel, formatNumber, plural } from "@/components/format";
import styles from "./DefinitionForm.module.css";
import { isSet, levelsOf } from "./document";
import { FactorField } from "./FactorField";
import type { FactorProps } from "./factorProps";
import { errorsAt } from "@/api/errors";
import { factorGroups, type FactorGroup } from "./groups";
import { offered } from "./nesting";

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
      <h3 id={id}>{group.title}</h3>
      {group.first.length > 0 && fields(group.first)}
      {group.more.length > 0 && (
        // A group with an error is open.
        <details className={styles.more} open={open || refused} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {group.first.length > 0 ? plural(group.more.length, "more setting") : plural(group.more.length, "setting")}
            <ChangedSettings document={rest.document} factors={group.more} />
          </summary>
          {fields(group.more)}
        </details>
      )}
    </section>
  );
}

/** The number of settings that differ from their default, with their levels. */
function ChangedSettings({ document, factors }: Pick<Props, "document"> & { factors: readonly Factor[] }) {
  const set = factors.filter((factor) => isSet(document, factor));
  if (set.length === 0) return <span className={styles.count}>, all by default</span>;
  const values = set.map((factor) => `${factor.label} ${levelsOf(document, factor).map(formatLevel).join(", ")}${factor.unit ? ` ${factor.unit}` : ""}`);
  return (
    <>
      <span className={styles.count}>, {formatNumber(set.length)} set</span>
      <span className={styles.values}>{values.join(" · ")}</span>
    </>
  );
}
