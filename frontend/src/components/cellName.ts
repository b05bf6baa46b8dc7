/** The name of a cell of a verdict for readers. Pure. */

interface Named {
  label: string;
  path: string | null;
  path_title: string;
}

/** The label with the path's own title in place of its name: "Published port on 127.0.0.1, userland-proxy on". */
export function cellTitle({ label, path, path_title }: Named): string {
  if (!path || !path_title || path === path_title) return label;
  if (label === path) return path_title;
  return label.startsWith(`${path}, `) ? path_title + label.slice(path.length) : label;
}

/** A ratio as a signed change, "−17.3 %"; from 10 times on as a multiple. */
export function formatChange(ratio: number): string {
  if (ratio >= 10) return `${Number(ratio.toPrecision(2))}×`;
  const change = 100 * (ratio - 1);
  const text = Math.abs(change).toFixed(Math.abs(change) < 100 ? 1 : 0);
  return Number(text) === 0 ? "0 %" : `${change < 0 ? "−" : "+"}${text} %`;
}
