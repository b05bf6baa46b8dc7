import { TableScroll } from "./TableScroll";
import table from "./table.module.css";

interface Props {
  label: string;
  /** The headings; figures are aligned to the right. */
  columns: readonly (readonly [heading: React.ReactNode, kind?: "num"])[];
  /** Whether short figures are side by side in a folded table. */
  tiles?: boolean;
  /** The rows. */
  children: React.ReactNode;
}

/** A table that folds into blocks on narrow screens; there, each cell shows its `data-label` as its heading. */
export function DataTable({ label, columns, tiles = false, children }: Props) {
  return (
    <TableScroll label={label} folding>
      <table className={`${table.table} ${table.fold} ${tiles ? table.tiles : ""}`}>
        <thead>
          <tr>
            {columns.map(([heading, kind], index) => (
              <th key={index} scope="col" className={kind && table[kind]}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  );
}
