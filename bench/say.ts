/** A line for whoever watches the run. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
