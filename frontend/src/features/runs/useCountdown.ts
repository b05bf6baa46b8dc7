import { useEffect, useState } from "react";

/** Returns the remaining seconds, counted down between the server's estimates; null without an estimate. */
export function useCountdown(estimate: number | null): number | null {
  const [passed, setPassed] = useState({ estimate, seconds: 0 });
  useEffect(() => {
    const timer = setInterval(
      () => setPassed((known) => (known.estimate === estimate ? { estimate, seconds: known.seconds + 1 } : { estimate, seconds: 0 })),
      1000,
    );
    return () => clearInterval(timer);
  }, [estimate]);
  if (estimate === null) return null;
  return Math.max(0, estimate - (passed.estimate === estimate ? passed.seconds : 0));
}
