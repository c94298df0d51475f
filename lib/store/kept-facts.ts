import { LRUCache } from "lru-cache";
import { lookUp } from "./database";
import { noteGeneration } from "./generation";

/** A row that was read in one statement with the generation. */
type ReadUnder<T> = T & { generation: string };

export interface KeptStatement {
  name: string;
  text: string;
}

/** Every look-up whose rows may be kept: each column that one reads must raise the generation, or never change. */
export const KEPT_STATEMENTS: KeptStatement[] = [];

/** A look-up whose rows say under which generation they were read. `text` is what comes after `SELECT`. */
export function keptStatement(name: string, text: string): KeptStatement {
  const statement = { name, text: `SELECT (SELECT value FROM "Generation") AS generation, ${text}` };
  KEPT_STATEMENTS.push(statement);
  return statement;
}

interface Entry<T> {
  fact: T;
  generation: string;
}

/**
 * What look-ups of one kind found, each with the generation under which it was read. Whoever takes a fact from here
 * confirms that generation before they act on it (`confirmGeneration`, or a counter that does). Facts are found ones
 * alone: nothing is rejected from memory, and what does not exist takes no room.
 */
export class KeptFacts<T extends object> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #statement: KeptStatement;

  /** `size` bounds the sum of the facts' sizes. */
  constructor(statement: KeptStatement, size: number, sizeOf: (fact: T) => number = () => 1) {
    this.#statement = statement;
    this.#entries = new LRUCache({ maxSize: size, sizeCalculation: ({ fact }) => sizeOf(fact) });
  }

  /** What was read under this generation; undefined without one. */
  find(name: string, under: string | undefined): T | undefined {
    if (under === undefined) return undefined;
    const entry = this.#entries.get(name);
    return entry?.generation === under ? entry.fact : undefined;
  }

  /** What the database says, kept under `name` if it is worth it; undefined if there is no row. */
  async read(
    name: string,
    values: readonly unknown[],
    isWorth: (fact: T) => boolean = () => true,
  ): Promise<T | undefined> {
    const [row] = await lookUp<ReadUnder<T>>(this.#statement.name, this.#statement.text, values);
    if (!row) return undefined;
    const { generation, ...rest } = row;
    const fact = rest as unknown as T;
    noteGeneration(generation);
    if (isWorth(fact)) this.#entries.set(name, { fact, generation });
    return fact;
  }
}
