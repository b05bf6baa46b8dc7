import { createContext } from "react";

/** The level of the headings of cards: 3 inside a section with a heading of its own. */
export const HeadingLevel = createContext<2 | 3>(2);
