import { useId } from "react";
import type { ImageHref } from "@/api/exports";
import type { CpuByRole } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatNumber } from "@/components/format";
import { ImageLinks } from "@/components/ImageLinks";
import table from "@/components/table.module.css";
import { useWidth } from "@/components/useWidth";
import { messages } from "@/messages";
import { cpuBreakdown, type CpuBreakdown, type BreakdownPart } from "./cpuBreakdown";
import styles from "./CpuBreakdownCard.module.css";
import { roleName } from "./roleNames";
import { RolePatterns, rolePaint } from "./RolePaint";
import { charactersOf } from "./textWidth";

const t = messages("charts");

interface Props {
  cpu: CpuByRole;
  seconds: number;
  operations: number;
  operation: string;
  image?: ImageHref | undefined;
}

/** More unattributed time than this is unusual, and makes the roles' figures doubtful. */
const MOST_UNATTRIBUTED_PERCENT = 2;
const BAR = 34;

/** The CPU time of one trial by role: one bar up to the capacity of the host, and a table. */
export function CpuBreakdownCard({ cpu, seconds, operations, operation, image }: Props) {
  const bar = cpuBreakdown(cpu, seconds, operations);
  const unattributed = bar.parts.find((part) => part.role === "unattributed");
  const doubtful = Math.abs(unattributed?.percent ?? 0) > MOST_UNATTRIBUTED_PERCENT;
  return (
    <Card
      title={t("cpuOfHost")}
      note={t(doubtful ? "cpuCapacityDoubtful" : "cpuCapacity", { count: Number(bar.cores.toFixed(2)), cores: formatNumber(Number(bar.cores.toFixed(2))), seconds: formatNumber(seconds, 1), capacity: formatNumber(bar.capacity, 2), percent: formatNumber(unattributed?.percent, 1) })}
      flush
    >
      <div className={styles.bar}>
        <Drawn bar={bar} />
        {image && <ImageLinks title={t("cpuOfHost")} href={image} />}
      </div>
      <Figures bar={bar} operation={operation} />
    </Card>
  );
}

function Drawn({ bar }: { bar: CpuBreakdown }) {
  const [ref, width] = useWidth(720);
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const shares = bar.parts.map((part) => `${roleName(part.role)} ${formatNumber(part.percent, 1)} %`).join(", ");
  return (
    <div ref={ref}>
      <svg width={width} height={BAR + 18} role="img" aria-label={t("cpuSentence", { shares })}>
        <RolePatterns id={patterns} />
        {bar.parts.map((part) => (
          <Part key={part.role} part={part} width={width} patterns={patterns} />
        ))}
        <rect x={0.5} y={0.5} width={Math.max(0, width - 1)} height={BAR - 1} fill="none" stroke="var(--line-strong)" />
      </svg>
    </div>
  );
}

/** One part of the bar, labelled where the label fits. */
function Part({ part, width, patterns }: { part: BreakdownPart; width: number; patterns: string }) {
  const x = part.from * width;
  const length = (part.to - part.from) * width;
  const text = `${roleName(part.role)} ${formatNumber(part.percent, 0)} %`;
  return (
    <g>
      <title>{`${roleName(part.role)}: ${formatNumber(part.cores, 3)} ${t("coresLow")}, ${formatNumber(part.percent, 1)} %`}</title>
      <rect x={x} y={0} width={length} height={BAR} fill={rolePaint(part.role, patterns)} stroke="var(--surface)" strokeWidth={length > 3 ? 1 : 0} />
      {length > charactersOf(text) * 6.2 && (
        <text x={x + 1} y={BAR + 14} fontSize={11.5} fill="var(--ink-3)">
          {text}
        </text>
      )}
    </g>
  );
}

function Figures({ bar, operation }: { bar: CpuBreakdown; operation: string }) {
  const rows = [
    ...bar.parts.map((part) => ({ ...part, name: roleName(part.role), total: false })),
    { ...bar.busy, name: t("used"), role: null, total: true },
  ];
  return (
    <DataTable label={t("cpuByRole")} columns={[[t("role")], [t("coreSeconds"), "num"], [t("cores"), "num"], [t("ofHost"), "num"], [t("usPer", { operation }), "num"], [t("counter")]]} tiles>
      {rows.map((row) => (
        <tr key={row.name} className={row.total ? table.total : undefined}>
          <th scope="row">
            {row.role && <Swatch role={row.role} />}
            {row.name}
          </th>
          <td data-label={t("coreSeconds")} className={table.num}>{formatNumber(row.coreSeconds, 3)}</td>
          <td data-label={t("cores")} className={table.num}>{formatNumber(row.cores, 3)}</td>
          <td data-label={t("ofHost")} className={table.num}>{formatNumber(row.percent, 1)} %</td>
          <td data-label={t("usPer", { operation })} className={table.num}>{formatNumber(row.usPerOperation, 1)}</td>
          <td data-label={t("counter")} data-rest className={table.mono}>{row.source}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Swatch({ role }: { role: BreakdownPart["role"] }) {
  const id = useId().replaceAll(/[^\w]/g, "");
  return (
    <svg className={styles.swatch} width={14} height={12} aria-hidden="true">
      <RolePatterns id={id} />
      <rect x={0.5} y={0.5} width={13} height={11} rx={2} fill={rolePaint(role, id)} stroke={role === "idle" ? "var(--line-strong)" : "none"} />
    </svg>
  );
}
