import { useEffect, useState } from "react";
import { messages } from "@/messages";
import { Button } from "./Button";

const t = messages("common");

/** Copies a text and confirms it. */
export function CopyButton({ text, label = t("copy"), kind = "ghost" }: { text: string; label?: string; kind?: "ghost" | "plain" | "primary" }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("refused");
    }
  };
  return (
    <Button kind={kind} onClick={copy} aria-live="polite">
      {state === "copied" ? t("copied") : state === "refused" ? t("copyByHand") : label}
    </Button>
  );
}
