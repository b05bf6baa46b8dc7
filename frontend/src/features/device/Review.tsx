import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { approveDeviceAuthorization, denyDeviceAuthorization, type DeviceAuthorization, type SessionTeam } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { Failure, Note } from "@/components/Status";
import { lifetimes, roleHas, SCOPES, type Scope } from "@/components/tokenChoices";
import { messages } from "@/messages";
import styles from "./Device.module.css";

const t = messages("device");

interface Props {
  found: DeviceAuthorization;
  onDecision: (decision: "approved" | "denied") => void;
  onBack: () => void;
}

/** Who waits with a code, and the decision about it. */
export function Review({ found, onDecision, onBack }: Props) {
  const session = useQuery({ ...queries.session(), enabled: false });
  const teams = (session.data?.teams ?? []).filter((team) => !team.needs_second_factor);
  const first = teams.find(({ id }) => id === session.data?.team?.id) ?? teams[0];
  const deny = useMutation({ mutationFn: () => denyDeviceAuthorization({ body: { user_code: found.user_code } }), onSuccess: () => onDecision("denied") });
  return (
    <Card title={t("sameCode")} note={t("sameCodeNote")}>
      <div className={styles.review}>
        <p className={styles.shown}>{found.user_code}</p>
        <Facts
          facts={[
            [t("saysItIs"), found.client_name],
            [t("itsAddress"), found.address],
            [t("started"), formatTime(found.created_at)],
          ]}
        />
        {!found.same_address && <Note tone="warn">{t("otherAddress")}</Note>}
        {first ? <Approval key={found.id} found={found} teams={teams} first={first} onApproved={() => onDecision("approved")} /> : <Note tone="warn">{t("noTeam")}</Note>}
        <div className={styles.actions}>
          <Button kind="danger" busy={deny.isPending} onClick={() => deny.mutate()}>
            {t("deny")}
          </Button>
          <Button kind="ghost" onClick={onBack}>
            {t("anotherCode")}
          </Button>
        </div>
        {deny.error && <Failure error={deny.error} />}
      </div>
    </Card>
  );
}

function Approval({ found, teams, first, onApproved }: { found: DeviceAuthorization; teams: readonly SessionTeam[]; first: SessionTeam; onApproved: () => void }) {
  const [teamId, setTeamId] = useState(first.id);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [days, setDays] = useState("90");
  const team = teams.find(({ id }) => id === teamId) ?? first;
  const wanted = SCOPES.filter(({ scope }) => found.scopes.includes(scope));
  const granted: Scope[] = wanted.map(({ scope }) => scope).filter((scope) => roleHas(team.role, scope) && !off.has(scope));
  const approve = useMutation({
    mutationFn: () => approveDeviceAuthorization({ body: { user_code: found.user_code, team_id: team.id, scopes: granted, expires_in_days: Number(days) } }),
    onSuccess: onApproved,
  });
  const toggle = (scope: string) =>
    setOff((old) => {
      const next = new Set(old);
      if (!next.delete(scope)) next.add(scope);
      return next;
    });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        approve.mutate();
      }}
    >
      <Field label={t("team")} errors={[]}>
        {(ids) => (
          <select {...ids} value={team.id} onChange={(event) => setTeamId(event.target.value)}>
            {teams.map(({ id, name, role }) => (
              <option key={id} value={id}>
                {t("teamRole", { name, role })}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t("signedInFor")} errors={[]}>
        {(ids) => (
          <select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
            {lifetimes().map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <fieldset className={styles.scopes}>
        <legend>{t("asksFor")}</legend>
        {wanted.map(({ scope, about }) => (
          <label key={scope}>
            <input type="checkbox" checked={granted.includes(scope)} disabled={!roleHas(team.role, scope)} onChange={() => toggle(scope)} />
            <span>
              <code>{scope}</code> {about}
              {!roleHas(team.role, scope) && ` ${t("notWithRole")}`}
            </span>
          </label>
        ))}
      </fieldset>
      {approve.error && <Failure error={approve.error} />}
      <Button type="submit" kind="primary" busy={approve.isPending} disabled={granted.length === 0}>
        {t("approve")}
      </Button>
    </form>
  );
}
