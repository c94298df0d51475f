/** Prints a progress line. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
