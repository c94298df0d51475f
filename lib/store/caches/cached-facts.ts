import { Cache } from "@/lib/kernel/cache";
import { lookUp } from "@/lib/store/postgres/database";
import { recordGeneration } from "@/lib/store/postgres/generation";

/** A row that was read together with the generation in one statement. */
type ReadUnder<T> = T & { generation: string };

export interface CachedStatement {
  name: string;
  text: string;
}

/**
 * Every lookup whose rows may be cached. Each column that it reads must change the generation, or never change itself.
 */
export const CACHED_STATEMENTS: CachedStatement[] = [];

/** A lookup whose rows include the generation under which they were read. `text` is what follows `SELECT`. */
export function cachedStatement(name: string, text: string): CachedStatement {
  const statement = { name, text: `SELECT (SELECT value FROM "Generation") AS generation, ${text}` };
  CACHED_STATEMENTS.push(statement);
  return statement;
}

/**
 * The results of one kind of lookup, each with the generation under which it was read. Callers confirm that generation
 * before they act on a fact from here (`confirmGeneration`, or a counter that does). Only rows that exist are cached:
 * nothing is rejected from memory, and what does not exist takes no room.
 */
export class CachedFacts<T extends object> {
  readonly #entries: Cache<T>;
  readonly #statement: CachedStatement;

  /** `size` bounds the sum of the facts' sizes. */
  constructor(statement: CachedStatement, size: number, sizeOf?: (fact: T) => number) {
    this.#statement = statement;
    this.#entries = new Cache({ capacity: size, ...(sizeOf && { sizeOf }) });
  }

  /** The fact that was read under this generation; undefined without one. */
  find(name: string, under: string | undefined): T | undefined {
    return under === undefined ? undefined : this.#entries.find(name, under);
  }

  /** The fact in the database, cached under `name` if `shouldCache` allows it; undefined if there is no row. */
  async read(
    name: string,
    values: readonly unknown[],
    shouldCache: (fact: T) => boolean = () => true,
  ): Promise<T | undefined> {
    const [row] = await lookUp<ReadUnder<T>>(this.#statement.name, this.#statement.text, values);
    if (!row) return undefined;
    const { generation, ...rest } = row;
    const fact = rest as unknown as T;
    recordGeneration(generation);
    if (shouldCache(fact)) this.#entries.store(name, fact, generation);
    return fact;
  }
}
