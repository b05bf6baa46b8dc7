/** The pointers whose errors the form shows at a field. */
export const FORM_POINTERS = ["/name", "/title", "/factors", "/rounds", "/seed", "/baseline", "/compare", "/metrics", "/margin", "/exclude", "/include", "/stopping", "/thresholds", "/latency_limit_ms", "/quality", "/profile"];
