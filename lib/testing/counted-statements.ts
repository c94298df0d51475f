import type { Bench } from "@/lib/readers/bench";

/** How much SQL a bench was given. */
export interface StatementsCounted {
  statements: number;
  characters: number;
}

/** A bench that counts its statements: DuckDB's time to plan grows with them, whatever else the machine does. */
export function withCount<B extends Bench>(bench: B): { bench: B; counted: StatementsCounted } {
  const counted: StatementsCounted = { statements: 0, characters: 0 };
  const counting =
    <A extends [string, ...unknown[]], T>(work: (...statement: A) => T) =>
    (...statement: A): T => {
      counted.statements += 1;
      counted.characters += statement[0].length;
      return work(...statement);
    };
  return { bench: { ...bench, run: counting(bench.run), rows: counting(bench.rows) }, counted };
}
