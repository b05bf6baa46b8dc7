import type { ImageChoice, ImageHref } from "@/api/exports";
import type { ResultPanels } from "@/api/generated";

/** The share link that a result is behind. */
export interface ResultShare {
  token: string;
  /** It shows the result of now. */
  isLive: boolean;
  /** Null: a link of an earlier release has none. */
  panels: ResultPanels | null;
}

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
