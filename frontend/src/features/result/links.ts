import type { ImageChoice, ImageHref } from "@/api/exports";

/** Where the pages and images of a result are. */
export interface ResultLinks {
  cell: (cellId: string) => string;
  /** The trial of a cell in one round. */
  round: (cellId: string, round: number) => string;
  host: string;
  open: (href: string) => void;
  /** The chart of this choice as an image. */
  image: (choice: ImageChoice) => ImageHref;
}
