import type { ImageChoice, ImageHref } from "@/api/exports";

/** The addresses of the pages and images of a result. */
export interface ResultLinks {
  cell: (cellId: string) => string;
  /** The trial of a cell in one round. */
  round: (cellId: string, round: number) => string;
  host: string;
  open: (href: string) => void;
  /** The image addresses of a chart. */
  image: (choice: ImageChoice) => ImageHref;
}
