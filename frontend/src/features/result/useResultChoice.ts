import { useEffect, useState } from "react";
import type { ChartModel } from "@/api/generated";
import { useAddress } from "@/components/useAddress";
import { addressOf, choiceOf, type ResultChoice } from "./resultChoice";

/** Delay after the last key before the address changes: browsers limit the rate of such changes. */
const WAIT_MS = 300;

export type Choose = (change: (known: ResultChoice) => ResultChoice) => void;

/** Returns the choice, initially from the address, and its setter; the address is updated with a delay. */
export function useResultChoice(model: ChartModel): [ResultChoice, Choose] {
  const [query, change] = useAddress();
  const [choice, choose] = useState(() => choiceOf(query));
  useEffect(() => {
    const wanted = addressOf(model, choice);
    if (Object.entries(wanted).every(([name, value]) => query.get(name) === value)) return;
    const write = () => change(wanted);
    const timer = setTimeout(write, WAIT_MS);
    // Before a link opens another page, the address is updated at once.
    window.addEventListener("pointerdown", write, { capture: true, once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", write, { capture: true });
    };
  });
  return [choice, choose];
}
