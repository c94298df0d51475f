/** What a backup or a restore is given by whoever asked for it. */
export interface BackupContext {
  /** Told what is being done, a short line at a time. */
  progress?(text: string): void;
  signal?: AbortSignal;
}
