import type { Factor } from "@/api/types";
import { errorsAt } from "@/api/errors";
import { formatLevel } from "@/components/format";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { isSet, levelsOf } from "./document";
import { FactorField } from "./FactorField";
import type { FactorProps } from "./factorProps";
import { Fold } from "./Fold";
import { factorGroups } from "./groups";
import type { ShownFactors } from "./useShownFactors";

const t = messages("experiments");

type Props = Omit<FactorProps, "factor"> & { shown: ShownFactors };

/** All settings that do not vary, by group. */
export function Settings({ shown, ...props }: Props) {
  const { document, errors } = props;
  const factors = shown.settings;
  const set = factors.filter((factor) => isSet(document, factor));
  const isRefused = factors.some(({ name }) => errorsAt(errors, `/factors/${name}`).length > 0);
  return (
    <Fold title={t("moreSettings")} note={noteOf(document, factors, set)} isRefused={isRefused}>
      {factorGroups(factors).map((group) => (
        <section key={group.title} className={styles.group} aria-label={t(group.title)}>
          <h3>{t(group.title)}</h3>
          <div className={styles.fields}>
            {[...group.first, ...group.more].map((factor) => (
              <div
                key={factor.name}
                onFocus={() => shown.hold(factor.name)}
                onBlur={() => shown.hold(null)}
              >
                <FactorField {...props} factor={factor} />
              </div>
            ))}
          </div>
        </section>
      ))}
    </Fold>
  );
}

/** Those that differ from their default with their levels, or that none does. */
function noteOf(
  document: Props["document"],
  factors: readonly Factor[],
  set: readonly Factor[],
): string {
  if (set.length === 0) return t("settingsByDefault", { count: factors.length });
  const levels = (factor: Factor) => levelsOf(document, factor).map(formatLevel).join(", ");
  const texts = set.map((factor) => `${factor.label} ${levels(factor)} ${factor.unit}`.trim());
  return texts.join(" · ");
}
