/** THE list of what a round of the workers' upkeep does, in this order, for people. Schedules come first. */
export const UPKEEP = {
  schedules: "starting scheduled refreshes",
  standings: "checking whether tables are current",
  expired_runs: "ending runs that waited too long",
  lost_runs: "repeating runs whose worker ended",
  table_values: "reading the values that searches find",
  inspections: "deleting old inspections",
  deliveries: "deleting old notifications",
  news: "deleting old news",
  expired: "deleting expired sessions, tokens and counters",
  observations: "deleting old readings of sources",
  uploads: "deleting uploads that no run has read",
  artifacts: "deleting expired artifacts",
  upload_parts: "deleting unfinished uploads",
  snapshots: "deleting old snapshots of sources",
  run_folders: "deleting folders of runs that have ended",
  temp_files: "deleting temporary files of processes that have ended",
} as const;

export type UpkeepStep = keyof typeof UPKEEP;

/** What a step does, in words that reveal nothing about the machine. */
export const upkeepText = (step: string): string =>
  Object.hasOwn(UPKEEP, step) ? UPKEEP[step as UpkeepStep] : "a step of another version";
