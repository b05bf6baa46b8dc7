// Generated from the server's texts: python -m scripts.page_messages
export default {
  phaseWaiting: "Waits for a quiet host: {{reasons}}.",
  phaseRepeating: "The host disturbed this trial; it is measured again: {{reasons}}.",
  phaseWarmingUp: "Warms up, not measured yet.",
  phaseOtherInstallation: "Waits for another installation of Plimsoll, which measures on this host.",
  makeUpFollows_one: "The host disturbed trials of this run: {{count}} make-up trial is measured at its end.",
  makeUpFollows_other: "The host disturbed trials of this run: {{count}} make-up trials are measured at its end.",
  queuedOnHost: "Queued: {{host}} runs one trial at a time.",
  preparing: "Preparing the next trial…",
  hostAway: "The worker on {{host}} is unavailable since {{time}}. The run continues when it is back; recorded trials are kept.",
  hostPaused: "{{reason}} The trials of this run wait until then; recorded ones are kept.",
  startsAgainAt: "{{host}} starts trials again at {{at}}: its policy has hours.",
  wasDrained: "{{host}} was drained at {{at}}: it starts no new trial until an administrator of the installation resumes it.",
  wasDrainedBy: "{{host}} was drained by {{by}} at {{at}}: it starts no new trial until an administrator of the installation resumes it.",
  streamLost: "The event stream was interrupted; it is being resumed where it stopped.",
} as const;
