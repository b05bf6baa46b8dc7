import { useEffect, useRef } from "react";
import type { ApiDocument } from "./apiDocument";
import { mount } from "./swaggerUi";
import styles from "./Viewer.module.css";

interface Props {
  /** A document with one operation. */
  document: ApiDocument;
  canTry: boolean;
}

/** Swagger UI for one operation. Load it on demand: its code is larger than the rest of the page. */
export function Viewer({ document, canTry }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A new element for each document: Swagger UI keeps the one that it got.
    const root = window.document.createElement("div");
    place.current?.append(root);
    mount(root, document, canTry);
    return () => root.remove();
  }, [document, canTry]);
  return <div ref={place} className={styles.viewer} lang="en" />;
}
