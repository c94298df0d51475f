/** The options of a backup or a restore. */
export interface BackupContext {
  /** Receives progress messages, one short line each. */
  progress?(text: string): void;
  signal?: AbortSignal;
}
