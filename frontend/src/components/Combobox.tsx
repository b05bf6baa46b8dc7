import { Combobox as Base } from "@base-ui/react/combobox";
import { useId } from "react";
import type { FieldError } from "@/api/errors";
import { messages } from "@/messages";
import styles from "./Combobox.module.css";
import { LabelledBox } from "./LabelledBox";
import popup from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

const t = messages("common");

export interface Option {
  value: string;
  label: string;
  /** A second line. */
  detail?: string;
  /** The heading under which it is listed; options of one group follow each other. */
  group?: string;
}

interface Group {
  value: string;
  items: Option[];
}

interface Props {
  label: string;
  /** Shows no label above the box; its name stays for screen readers. */
  labelHidden?: boolean;
  options: readonly Option[];
  /** Called with what is typed; then `options` are the answer of a search and are not filtered here. */
  onSearch?: (text: string) => void;
  loading?: boolean;
  /** Why the options could not be loaded. */
  failure?: string | null;
  /** Shown above the options, and announced. */
  note?: string | null;
  onOpenChange?: (open: boolean) => void;
  placeholder?: string;
  hint?: React.ReactNode;
  errors?: readonly FieldError[];
  disabled?: boolean;
}

const same = (a: Option, b: Option) => a.value === b.value;

/** Chooses one option, or none, by typing a part of its name. */
export function Combobox({ value, onChange, onSearch, onOpenChange, disabled = false, ...props }: Props & { value: Option | null; onChange: (value: Option | null) => void }) {
  return (
    <Base.Root items={grouped(props.options)} value={value} onValueChange={onChange} onOpenChange={(open) => onOpenChange?.(open)} isItemEqualToValue={same} disabled={disabled} autoHighlight {...searching(onSearch)}>
      <LabelledBox {...props}>
        {(ids) => (
          <Base.InputGroup className={styles.box} data-invalid={(props.errors?.length ?? 0) > 0 || undefined}>
            <Base.Input className={styles.input} placeholder={props.placeholder} {...ids} />
            <End />
          </Base.InputGroup>
        )}
      </LabelledBox>
      <Popup {...props} />
    </Base.Root>
  );
}

/** Chooses any number of options; the chosen ones are shown as removable chips. */
export function MultiCombobox({ value, onChange, onSearch, disabled = false, ...props }: Props & { value: readonly Option[]; onChange: (value: Option[]) => void }) {
  return (
    <Base.Root multiple items={props.options} value={value} onValueChange={onChange} isItemEqualToValue={same} disabled={disabled} autoHighlight {...searching(onSearch)}>
      <LabelledBox {...props}>
        {(ids) => (
          <Base.InputGroup className={styles.box} data-invalid={(props.errors?.length ?? 0) > 0 || undefined}>
            <Base.Chips className={styles.chips}>
              {value.map((option) => (
                <Base.Chip key={option.value} className={styles.chip} aria-label={option.label}>
                  {option.label}
                  <Base.ChipRemove aria-label={t("removeChoice", { name: option.label })}>×</Base.ChipRemove>
                </Base.Chip>
              ))}
              <Base.Input className={styles.input} placeholder={value.length ? undefined : props.placeholder} {...ids} />
            </Base.Chips>
            <End />
          </Base.InputGroup>
        )}
      </LabelledBox>
      <Popup {...props} />
    </Base.Root>
  );
}

const NOTHING: readonly Option[] = [];

/** Adds options to a list that is shown elsewhere; `options` are those that can be added. It stays open, and empties its box. */
export function AddCombobox({ onAdd, onSearch, disabled = false, ...props }: Props & { onAdd: (option: Option) => void }) {
  return (
    <Base.Root
      multiple
      items={grouped(props.options)}
      value={NOTHING}
      onValueChange={([option]) => option && onAdd(option)}
      isItemEqualToValue={same}
      disabled={disabled}
      autoHighlight
      {...searching(onSearch)}
    >
      <LabelledBox {...props}>
        {(ids) => (
          <Base.InputGroup className={styles.box} data-add>
            <Base.Input className={styles.input} placeholder={props.placeholder} {...ids} />
            <span className={styles.end}>
              <Base.Trigger aria-label={t("showOptions")}>▾</Base.Trigger>
            </span>
          </Base.InputGroup>
        )}
      </LabelledBox>
      <Popup {...props} />
    </Base.Root>
  );
}

/** Options by their group, in the order in which groups appear first; without groups, the options. */
function grouped(options: readonly Option[]): readonly Option[] | Group[] {
  if (!options.some(({ group }) => group)) return options;
  return [...Map.groupBy(options, ({ group }) => group ?? "")].map(([value, items]) => ({ value, items }));
}

/** What a person typed is searched for; the text that a choice puts into the box is not. */
function searching(onSearch: Props["onSearch"]) {
  if (!onSearch) return {};
  return {
    filter: null,
    onInputValueChange: (text: string, { reason }: { reason: string }) => {
      if (reason === "input-change" || reason === "input-clear" || reason === "clear-press") onSearch(text);
    },
  };
}

const End = () => (
  <span className={styles.end}>
    <Base.Clear aria-label={t("clearChoice")}>×</Base.Clear>
    <Base.Trigger aria-label={t("showOptions")}>▾</Base.Trigger>
  </span>
);

function Popup({ label, loading = false, failure, note }: Props) {
  const container = usePopupContainer();
  const id = useId();
  return (
    <Base.Portal container={container}>
      <Base.Positioner className={popup.positioner} sideOffset={4} collisionPadding={8}>
        <Base.Popup id={id} className={popup.popup} data-list aria-label={label}>
          <Base.Status className={popup.message} data-tone={failure ? "bad" : undefined}>
            {failure ?? (loading ? t("loadingOptions") : note)}
          </Base.Status>
          <Base.Empty className={popup.message}>{loading || failure ? null : t("noMatches")}</Base.Empty>
          <Base.List aria-label={label}>
            {(item: Option | Group) =>
              "items" in item ? (
                <Base.Group key={item.value} items={item.items}>
                  <Base.GroupLabel className={popup.groupLabel}>{item.value}</Base.GroupLabel>
                  <Base.Collection>{(option: Option) => <Item key={option.value} option={option} />}</Base.Collection>
                </Base.Group>
              ) : (
                <Item key={item.value} option={item} />
              )
            }
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

const Item = ({ option }: { option: Option }) => (
  <Base.Item value={option} className={popup.item}>
    <span className={popup.mark} aria-hidden="true">
      <Base.ItemIndicator>✓</Base.ItemIndicator>
    </span>
    <span className={popup.text}>
      <span>{option.label}</span>
      {option.detail && <span className={popup.detail}>{option.detail}</span>}
    </span>
  </Base.Item>
);
