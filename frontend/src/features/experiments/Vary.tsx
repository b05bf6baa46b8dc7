import { useEffect, useRef, useState } from "react";
import type { FieldError } from "@/api/errors";
import { AddCombobox } from "@/components/Combobox";
import type { Factor } from "@/api/types";
import { messages } from "@/messages";
import { levelsOf } from "./document";
import { Choices } from "./FactorField";
import type { FactorProps } from "./factorProps";
import { factorGroups } from "./groups";
import { LevelChips } from "./LevelChips";
import { PINNED, type ShownFactors } from "./useShownFactors";
import styles from "./Vary.module.css";

const t = messages("experiments");

type Props = Omit<FactorProps, "factor"> & { shown: ShownFactors; errors: readonly FieldError[] };

/** The factors that vary with their levels as chips, and the search that opens others. */
export function Vary({ shown, ...props }: Props) {
  const { document } = props;
  const rows = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<{ name: string } | null>(null);
  useEffect(() => {
    if (opened === null) return;
    rows.current?.querySelector<HTMLElement>(`[data-factor="${opened.name}"] button`)?.focus();
  }, [opened]);
  return (
    <div className={styles.vary} ref={rows}>
      {shown.varied.map((factor) => (
        <div key={factor.name} className={styles.row} data-factor={factor.name}>
          <Levels {...props} factor={factor} />
          {!PINNED.includes(factor.name) && (
            <button
              type="button"
              className={styles.close}
              aria-label={t("varyClose", { factor: factor.label })}
              onClick={() => {
                shown.close(factor.name);
                props.onLevels(factor, levelsOf(document, factor).slice(0, 1));
              }}
            >
              ×
            </button>
          )}
        </div>
      ))}
      <div className={styles.more}>
        <AddCombobox
          label={t("varyMore")}
          labelHidden
          placeholder={t("varyMore")}
          options={shown.more.map(optionOf)}
          onAdd={({ value }) => {
            shown.open(value);
            setOpened({ name: value });
          }}
        />
      </div>
    </div>
  );
}

function Levels(props: FactorProps) {
  return props.factor.choices.length > 0 ? <Choices {...props} /> : <LevelChips {...props} />;
}

function optionOf(factor: Factor) {
  const title = factorGroups([factor])[0]?.title;
  const group = title && { group: t(title) };
  return { value: factor.name, label: factor.label, detail: factor.about, ...group };
}
