import { errorsAt } from "@/api/errors";
import { Field } from "@/components/Field";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { FactorField } from "./FactorField";
import type { FactorProps } from "./factorProps";
import { formatLoad, loadId, loadOf, loadsOf, LOAD_FACTORS, withLoad } from "./loads";
import { TIMES } from "./useShownFactors";

const t = messages("experiments");

interface Props extends Omit<FactorProps, "factor"> {
  onChange: (document: FactorProps["document"]) => void;
  /** The factors that are shown as varied. */
  varied: readonly { name: string }[];
}

/** The load: tool, service and script in one choice, and the time of a trial. */
export function Load({ onChange, varied, ...props }: Props) {
  const { document, vocabulary, errors } = props;
  const loads = loadsOf(vocabulary);
  const load = loadOf(document, vocabulary);
  const isVaried = (name: string) => varied.some((factor) => factor.name === name);
  // A factor that is shown as varied shows its own errors.
  const own = LOAD_FACTORS.filter((name) => !isVaried(name));
  const found = own.flatMap((name) => errorsAt(errors, `/factors/${name}`));
  return (
    <div className={styles.load}>
      <Field label={t("load")} errors={found} hint={load === null ? t("loadSeveral") : undefined}>
        {(ids) => (
          <select
            {...ids}
            value={load === null ? "" : loadId(load)}
            onChange={(event) => {
              const next = loads.find((each) => loadId(each) === event.target.value);
              if (next) onChange(withLoad(document, vocabulary, next));
            }}
          >
            {load === null && <option value="">{t("loadNone")}</option>}
            {loads.map((each) => (
              <option key={loadId(each)} value={loadId(each)}>
                {formatLoad(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {vocabulary.factors
        .filter(({ name }) => TIMES.includes(name) && !isVaried(name))
        .map((factor) => (
          <FactorField key={factor.name} {...props} factor={factor} />
        ))}
    </div>
  );
}
