/**
 * Keeps a program running whose standard output or error cannot be written: a full disk under its log, or a reader that
 * is gone. Without a listener, Node ends the process.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
