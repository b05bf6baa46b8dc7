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
