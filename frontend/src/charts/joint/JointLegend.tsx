import { messages } from "@/messages";
import type { RoleName } from "@/theme/palette";
import { legendLeftOut } from "@/charts/dotLayout";
import { TrialDot } from "@/charts/dotMarks";
import { Legend, type LegendItem } from "@/charts/Legend";
import { roleItems } from "@/charts/RolePaint";
import type { JointDots } from "./jointDots";

const t = messages("answer");
const charts = messages("charts");

interface Props {
  dots: JointDots;
  roles: readonly RoleName[];
}

/** What dots, bars and colours are, in one line; the levels of the series are on the rows. */
export function JointLegend({ dots, roles }: Props) {
  const items: LegendItem[] = [
    {
      key: "middle",
      label: t("legendMiddle"),
      sample: (
        <>
          <path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} />
          <rect x={9.5} y={0} width={3.5} height={14} fill="var(--ink)" />
        </>
      ),
    },
  ];
  const own = (payload: { used: boolean; unsteady: boolean }) => (
    <TrialDot cx={11} cy={7} payload={payload} color="var(--ink-2)" shape="circle" />
  );
  if (dots.groups.some((group) => group.dots.some(({ unsteady }) => unsteady)))
    items.push({
      key: "unsteady",
      label: charts("legendUnsteady"),
      sample: own({ used: true, unsteady: true }),
    });
  const leftOut = legendLeftOut(dots);
  if (leftOut !== null)
    items.push({ key: "left out", label: leftOut, sample: own({ used: false, unsteady: false }) });
  return <Legend items={[...items, ...roleItems(roles)]} />;
}
