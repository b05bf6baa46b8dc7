import { useSyncExternalStore } from "react";

/** Whether the window is narrower than this many pixels; follows its size. */
export function useNarrow(pixels: number): boolean {
  const query = `(max-width: ${pixels - 1}px)`;
  return useSyncExternalStore(
    (listener) => {
      if (typeof matchMedia !== "function") return () => undefined;
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => typeof matchMedia === "function" && matchMedia(query).matches,
  );
}
