import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import type { FieldError } from "@/api/errors";
import styles from "./Combobox.module.css";
import { LabelledBox } from "./LabelledBox";
import popup from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

interface Props {
  label: string;
  labelHidden?: boolean;
  value: string;
  onChange: (value: string) => void;
  /** Texts that may be taken instead of typed. */
  suggestions: readonly string[];
  /** Set if `suggestions` are the answer of a search for `value`: they are not filtered here. */
  searched?: boolean;
  placeholder?: string;
  hint?: React.ReactNode;
  errors?: readonly FieldError[];
  maxLength?: number;
  onEnter?: () => void;
}

/** A text field with suggestions; any text is allowed. */
export function Autocomplete({ label, labelHidden = false, value, onChange, suggestions, searched = false, placeholder, hint, errors = [], maxLength, onEnter }: Props) {
  const container = usePopupContainer();
  return (
    <Base.Root items={suggestions} value={value} onValueChange={onChange} {...(searched && { mode: "none" as const })}>
      <LabelledBox label={label} labelHidden={labelHidden} hint={hint} errors={errors}>
        {(ids) => (
          <Base.InputGroup className={styles.box} data-free data-invalid={errors.length > 0 || undefined}>
            <Base.Input
              className={styles.input}
              placeholder={placeholder}
              maxLength={maxLength}
              onKeyDown={(event) => {
                if (event.key === "Enter" && !event.currentTarget.getAttribute("aria-activedescendant")) onEnter?.();
              }}
              {...ids}
            />
          </Base.InputGroup>
        )}
      </LabelledBox>
      <Base.Portal container={container}>
        <Base.Positioner className={popup.positioner} sideOffset={4} collisionPadding={8} hidden={suggestions.length === 0}>
          <Base.Popup className={popup.popup} data-list aria-label={label}>
            <Base.List aria-label={label}>
              {(text: string) => (
                <Base.Item key={text} value={text} className={popup.item}>
                  {text}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
