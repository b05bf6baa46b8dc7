import { useMemo, useRef, useState } from "react";
import type { CellProfile } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { Select } from "@/components/Select";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import type { RoleName } from "@/theme/palette";
import { ChartMenu } from "@/charts/frame/ChartMenu";
import { Reading } from "@/charts/frame/Reading";
import { RoleLegend } from "@/charts/RolePaint";
import { roleName } from "@/charts/roleNames";
import { FlameGraph } from "./FlameGraph";
import styles from "./FlameGraph.module.css";
import { folded, matches, pathOf } from "./flameLayout";

const t = messages("flame");

interface Props {
  profile: CellProfile;
  name: string;
}

/** The flame graph of a profile with search, choice of the role, and the functions that used most as a table. */
export default function FlameCard({ profile, name }: Props) {
  const [root, setRoot] = useState(-1);
  const [search, setSearch] = useState("");
  const { frames, samples } = profile;
  const found = useMemo(() => matches(frames, search), [frames, search]);
  const rows = useRef<HTMLDivElement>(null);
  const roots = frames.flatMap((frame, index) => (frame.parent === null ? [{ index, role: frame.name as RoleName }] : []));
  const shownRole = root < 0 ? -1 : (pathOf(frames, root)[0] ?? -1);
  const share = (count: number) => formatNumber((100 * count) / Math.max(1, samples), 1);
  return (
    <Card
      title={t("title")}
      note={t("note", { samples: formatNumber(samples), hz: profile.frequency_hz, seconds: formatNumber(profile.seconds) })}
      actions={<ChartMenu title={t("title")} table={() => rows.current} />}
    >
      <p>{t("unmeasured")}</p>
      {samples === 0 ? (
        <p>{t("empty")}</p>
      ) : (
        <>
          <div className={styles.tools}>
            <Select
              label={t("role")}
              value={String(shownRole)}
              onChange={(value) => setRoot(Number(value))}
              options={[{ value: "-1", label: t("allRoles") }, ...roots.map(({ index, role }) => ({ value: String(index), label: roleName(role) }))]}
            />
            <label>
              {t("search")}{" "}
              <input type="search" value={search} maxLength={200} onChange={(event) => setSearch(event.target.value)} />
            </label>
            <span role="status">{search.trim() !== "" && t("found", { count: found.indices.size, share: share(found.samples) })}</span>
            {root >= 0 && <Button onClick={() => setRoot(-1)}>{t("whole")}</Button>}
            <Button kind="ghost" onClick={() => save(`${name}.folded`, folded(frames))}>{t("download")}</Button>
          </div>
          <RoleLegend roles={roots.map(({ role }) => role)} />
          <FlameGraph profile={profile} root={root} onRoot={setRoot} matching={found.indices} />
          {profile.pruned_samples > 0 && <p>{t("pruned", { share: share(profile.pruned_samples) })}</p>}
          {!profile.kernel_symbols && <p>{t("noKernelSymbols")}</p>}
          <details>
            <summary>{t("functions")}</summary>
            <div ref={rows} className={table.folding} role="region" aria-label={t("functions")} tabIndex={0}>
              <Functions profile={profile} role={shownRole < 0 ? null : (frames[shownRole]?.name ?? null)} share={share} />
            </div>
          </details>
        </>
      )}
      <Reading text={t("reading")} anchor="parts" />
    </Card>
  );
}

function Functions({ profile, role, share }: { profile: CellProfile; role: string | null; share: (count: number) => string }) {
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{t("functions")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("function")}</th>
          <th scope="col" className={table.num}>{t("own")}</th>
          <th scope="col" className={table.num}>{t("total")}</th>
        </tr>
      </thead>
      <tbody>
        {profile.functions.filter((each) => each.role === role).map((each) => (
          <tr key={each.name}>
            <th scope="row">{each.name}</th>
            <td className={table.num}>{share(each.own)}</td>
            <td className={table.num}>{share(each.total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Saves a text as a file. */
function save(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
