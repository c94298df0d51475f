import type { CheckedRecipe } from "@/lib/builds/check-recipe";
import { type Fault, failWith } from "@/lib/kernel/errors";
import { readingEngine } from "@/lib/operations/reading/reading-engine";

/** Fails with every pattern that DuckDB, which executes them, does not compile, so that no run has to discover them. */
export async function compilePatterns({ patterns }: Pick<CheckedRecipe, "patterns">, subject: string): Promise<void> {
  if (patterns.length === 0) return;
  const engine = await readingEngine();
  const faults = await engine.run(
    async (session) => {
      const found: Fault[] = [];
      for (const { pointer, pattern } of patterns) {
        const message = await session
          .all({ sql: "SELECT regexp_matches('', $1)", params: [pattern] })
          .then(() => undefined, messageOf);
        if (message !== undefined && !session.signal.aborted) found.push({ pointer, code: "invalid_value", message });
      }
      return found;
    },
    { subject },
  );
  if (faults.length > 0) throw failWith(faults);
}

/** DuckDB prefixes the message with its kind of error. */
const messageOf = (error: unknown): string =>
  `Invalid pattern: ${String((error as Error).message)
    .replace(/^Invalid Input Error: /, "")
    .slice(0, 200)}`;
