/** Signals that ask a process to end: from a supervisor, from Ctrl+C, and from a terminal that was closed. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const satisfies readonly NodeJS.Signals[];
