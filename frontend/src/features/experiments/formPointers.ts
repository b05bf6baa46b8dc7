/** The pointers whose refusals the form shows beside a field. */
export const FORM_POINTERS = ["/name", "/title", "/factors", "/rounds", "/seed", "/baseline", "/metrics", "/margin", "/exclude", "/include", "/stopping", "/thresholds", "/latency_limit_ms"];
