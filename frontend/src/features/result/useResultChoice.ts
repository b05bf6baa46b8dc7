import { useEffect, useState } from "react";
import type { ChartModel } from "@/api/generated";
import { useAddress } from "@/components/useAddress";
import { addressOf, choiceOf, type ResultChoice } from "./resultChoice";

/** So long after the last key the address follows: browsers refuse it if it changes with every one. */
const WAIT_MS = 300;

export type Choose = (change: (known: ResultChoice) => ResultChoice) => void;

/** What the address asks for when the page opens, and from then on what is chosen; the address follows. */
export function useResultChoice(model: ChartModel): [ResultChoice, Choose] {
  const [query, change] = useAddress();
  const [choice, choose] = useState(() => choiceOf(query));
  useEffect(() => {
    const wanted = addressOf(model, choice);
    if (Object.entries(wanted).every(([name, value]) => query.get(name) === value)) return;
    const write = () => change(wanted);
    const timer = setTimeout(write, WAIT_MS);
    // A link that is pressed sooner leaves this page: what was typed last comes back with it.
    window.addEventListener("pointerdown", write, { capture: true, once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", write, { capture: true });
    };
  });
  return [choice, choose];
}
