import { useEffect, useRef, useState } from "react";
import type { Run } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { RUN_STATES } from "@/components/stateLabels";

/** After an end without a readable result: the notification then has the run's state. */
export const ANSWER_WITHIN_MS = 15_000;

export type NoticeState = "off" | "on" | "refused";

export interface EndNoticeChoice {
  state: NoticeState;
  /** Asks the browser for its permission, or takes the choice back. */
  change: () => void;
}

/** Whether this browser can show notifications, as far as is known before the question. */
function permission(): NoticeState {
  return globalThis.Notification && Notification.permission !== "denied" ? "off" : "refused";
}

/** Shows a notification that opens this page; some browsers have the interface and refuse to. */
function show(run: Run, body: string): void {
  try {
    const notification = new Notification(run.title, { body, tag: run.id });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch (error) {
    console.warn("no notification", error);
  }
}

/**
 * A notification of the browser when a run ends: chosen by one click, and only while the page is
 * open. `sentence` is the answer of the ended run; null until it is known.
 */
export function useEndNotice(run: Run | undefined, sentence: string | null): EndNoticeChoice {
  const [state, setState] = useState(permission);
  const sent = useRef(false);
  const ended = run !== undefined && isTerminal(run.state);
  useEffect(() => {
    if (state !== "on" || !ended || sent.current) return;
    const send = (body: string) => {
      sent.current = true;
      show(run, body);
    };
    if (sentence !== null) return send(sentence);
    const timer = setTimeout(() => send(RUN_STATES[run.state].word), ANSWER_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [state, ended, run, sentence]);
  const ask = async () => {
    const answer = await Notification.requestPermission();
    if (answer !== "default") setState(answer === "granted" ? "on" : "refused");
  };
  return { state, change: () => (state === "on" ? setState("off") : void ask()) };
}
