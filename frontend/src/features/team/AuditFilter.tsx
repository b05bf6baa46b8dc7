import { useQuery } from "@tanstack/react-query";
import { listMembers, type AuditLine } from "@/api/generated";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { messages } from "@/messages";
import styles from "./Audit.module.css";
import { actionChoices, localOf, utcOf } from "./auditText";

const t = messages("team");

const outcomes = (): [string, string][] => [
  ["", t("everyOutcome")],
  [t("done"), t("done")],
  ["refused", t("refused")],
  ["failed", t("failed")],
];

interface Props {
  address: URLSearchParams;
  onChange: (changes: Readonly<Record<string, string | null>>) => void;
  /** The entries that are shown: their actions and accounts can be chosen, too. */
  seen: readonly AuditLine[];
}

/** The choice of action, outcome, account and time. */
export function AuditFilter({ address, onChange, seen }: Props) {
  const members = useQuery({ queryKey: ["members"], queryFn: async () => (await listMembers()).data });
  const action = address.get("action") ?? "";
  const account = address.get("account_id") ?? "";
  const names = new Map([
    ...(account ? [[account, account] as const] : []),
    ...seen.flatMap((line) => (line.account_id ? [[line.account_id, line.actor] as const] : [])),
    ...(members.data ?? []).map((member) => [member.account_id, member.name] as const),
  ]);
  const set = (name: string) => (event: React.ChangeEvent<HTMLSelectElement>) => onChange({ [name]: event.target.value || null });
  const setTime = (name: string) => (event: React.ChangeEvent<HTMLInputElement>) => onChange({ [name]: utcOf(event.target.value) });
  return (
    <Card>
      <div className={styles.filter} role="search" aria-label={t("auditEntries")}>
        <Field label={t("action")} errors={[]}>
          {(ids) => (
            <select {...ids} value={action} onChange={set("action")}>
              <option value="">{t("everyAction")}</option>
              {actionChoices([...seen.map((line) => line.action), ...(action ? [action] : [])]).map(({ value, label }) => (
                <option key={value} value={value}>{label}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("outcome")} errors={[]}>
          {(ids) => (
            <select {...ids} value={address.get("outcome") ?? ""} onChange={set("outcome")}>
              {outcomes().map(([value, label]) => (
                <option key={value} value={value}>{label}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("account")} errors={[]}>
          {(ids) => (
            <select {...ids} value={account} onChange={set("account_id")}>
              <option value="">{t("everyAccount")}</option>
              {[...names].map(([id, name]) => (
                <option key={id} value={id}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("from")} errors={[]}>
          {(ids) => <input {...ids} type="datetime-local" value={localOf(address.get("since"))} onChange={setTime("since")} />}
        </Field>
        <Field label={t("before")} errors={[]}>
          {(ids) => <input {...ids} type="datetime-local" value={localOf(address.get("until"))} onChange={setTime("until")} />}
        </Field>
      </div>
    </Card>
  );
}
