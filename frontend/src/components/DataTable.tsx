import { TableScroll } from "./TableScroll";
import table from "./table.module.css";

interface Props {
  label: string;
  /** The headings; figures are aligned to the right. */
  columns: readonly (readonly [heading: React.ReactNode, kind?: "num"])[];
  /** Whether short figures are side by side where the table folds. */
  tiles?: boolean;
  /** The rows. */
  children: React.ReactNode;
}

/** A table with headings, which folds into blocks where it does not fit: each cell names its column by `data-label`. */
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
