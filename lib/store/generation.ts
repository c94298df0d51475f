import { processWide } from "@/lib/kernel/process-wide";
import { lookUp } from "./database";

const OUTDATED = "OutdatedFacts";
const READ = `SELECT value, pages FROM "Generation"`;

interface Generations {
  value: string;
  /** Of what anybody's pages show. */
  pages: string;
}

/** Facts from memory were read under another generation than the present one: nothing was counted for them. */
export class OutdatedFacts extends Error {
  override name = OUTDATED;

  constructor(
    /** The present one. */
    readonly generation: string,
  ) {
    super("What was kept in memory is out of date");
  }
}

/** By its name, since pages may have a copy of this module. */
export const isOutdated = (error: unknown): error is OutdatedFacts => error instanceof Error && error.name === OUTDATED;

const seen = () => processWide("generation-seen", (): { last: string | undefined } => ({ last: undefined }));

/** The generation that this process was told last; it may be over. */
export const lastGeneration = (): string | undefined => seen().last;

/** Remembers what a statement returned as the generation. */
export function noteGeneration(value: string): void {
  seen().last = value;
}

/** Fails with `OutdatedFacts` unless this is the present generation; without one it asks nothing. */
export async function confirmGeneration(under: string | undefined): Promise<void> {
  if (under !== undefined) requireGeneration(under, await generation());
}

/** Fails with `OutdatedFacts` if facts were read under another generation than the present one. */
export function requireGeneration(under: string | undefined, present: string): void {
  noteGeneration(present);
  if (under !== undefined && under !== present) throw new OutdatedFacts(present);
}

interface Asked {
  running: Promise<Generations> | undefined;
  /** Begins once `running` has ended. */
  next: Promise<Generations> | undefined;
}

const asked = () => processWide("generation-asked", (): Asked => ({ running: undefined, next: undefined }));

/**
 * The generation of what the database says of callers, datasets and their freshness: another string after every
 * transaction that changed any of it (README.md lists what). What was read under the generation that this returns
 * holds at the moment of the call, on every instance. Callers at the same time share statements: each gets the answer
 * of one that began after their call.
 */
export const generation = async (): Promise<string> => (await present()).value;

/**
 * As `generation()`, of what anybody's pages show alone: another string after what was changed of any dataset that is
 * or was no private one, and not after a sign-up, a new key or the runs of a private table.
 */
export const pagesGeneration = async (): Promise<string> => (await present()).pages;

function present(): Promise<Generations> {
  const state = asked();
  if (!state.running) return begin(state);
  state.next ??= state.running
    .catch(() => undefined)
    .then(() => {
      state.next = undefined;
      return begin(state);
    });
  return state.next;
}

function begin(state: Asked): Promise<Generations> {
  const running = read().finally(() => {
    if (state.running === running) state.running = undefined;
  });
  state.running = running;
  return running;
}

async function read(): Promise<Generations> {
  const [row] = await lookUp<Generations>("read-generations", READ, []);
  if (!row) throw new Error('The table "Generation" has no row');
  noteGeneration(row.value);
  return row;
}
