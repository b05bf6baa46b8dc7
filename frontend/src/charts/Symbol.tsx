import type { Shape } from "@/theme/palette";

interface Props {
  shape: Shape;
  cx: number;
  cy: number;
  size: number;
  fill: string;
  stroke: string;
  opacity?: number;
}

/** One marker. All shapes have about the same area. */
export function Symbol({ shape, cx, cy, size, fill, stroke, opacity = 1 }: Props) {
  const style = { fill, stroke, strokeWidth: 1.25, fillOpacity: opacity };
  const r = size / 2;
  switch (shape) {
    case "circle":
      return <circle cx={cx} cy={cy} r={r} {...style} />;
    case "square":
      return <rect x={cx - r * 0.88} y={cy - r * 0.88} width={r * 1.76} height={r * 1.76} {...style} />;
    case "triangle":
      return <path d={`M${cx} ${cy - r * 1.2}L${cx + r * 1.1} ${cy + r * 0.8}L${cx - r * 1.1} ${cy + r * 0.8}Z`} {...style} />;
    case "diamond":
      return <path d={`M${cx} ${cy - r * 1.25}L${cx + r * 1.25} ${cy}L${cx} ${cy + r * 1.25}L${cx - r * 1.25} ${cy}Z`} {...style} />;
    case "cross":
      return <path d={`M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`} {...style} strokeWidth={2.2} />;
  }
}
