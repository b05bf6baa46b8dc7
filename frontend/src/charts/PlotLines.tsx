import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";

interface PlotLine {
  /** By default the whole width of the plot. */
  x?: readonly [number, number];
  y: readonly [number, number];
}

interface Props {
  lines: readonly PlotLine[];
  stroke: string;
  strokeWidth?: number;
  strokeOpacity?: number;
  strokeDasharray?: string;
}

/** Lines in the values of the axes, drawn as one path: a thousand ReferenceLines take a minute to draw. */
export function PlotLines({ lines, ...stroke }: Props) {
  const area = usePlotArea();
  const across = useXAxisScale();
  const down = useYAxisScale();
  if (!area || !across || !down || lines.length === 0) return null;
  const d = lines.flatMap(({ x, y }) => {
    const [x1, x2] = x ? [across(x[0]), across(x[1])] : [area.x, area.x + area.width];
    const [y1, y2] = [down(y[0]), down(y[1])];
    return x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined ? [] : [`M${x1} ${y1}L${x2} ${y2}`];
  });
  return <path className="plot-lines" d={d.join("")} fill="none" {...stroke} />;
}
