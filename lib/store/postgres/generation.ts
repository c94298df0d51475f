import { asService } from "@/lib/kernel/caller";
import { processWide } from "@/lib/kernel/process-wide";
import { lookUp } from "./database";

const OUTDATED = "OutdatedFacts";
const READ = `SELECT value, pages FROM "Generation"`;

interface Generations {
  value: string;
  /** The generation of what anybody's pages show. */
  pages: string;
}

/** Facts from memory were read under a generation that is no longer current. Nothing was counted for them. */
export class OutdatedFacts extends Error {
  override name = OUTDATED;

  constructor(
    /** The current one. */
    readonly generation: string,
  ) {
    super("Facts in memory are out of date");
  }
}

/** Compared by name, since pages may have their own copy of this module. */
export const isOutdated = (error: unknown): error is OutdatedFacts => error instanceof Error && error.name === OUTDATED;

const seen = () => processWide("generation-seen", (): { last: string | undefined } => ({ last: undefined }));

/** The last generation that this process was told. It may have ended. */
export const lastGeneration = (): string | undefined => seen().last;

/** Remembers the generation that a statement returned. */
export function recordGeneration(value: string): void {
  seen().last = value;
}

/** Fails with `OutdatedFacts` unless this is the current generation. Without one, does nothing. */
export async function confirmGeneration(under: string | undefined): Promise<void> {
  if (under !== undefined) requireGeneration(under, await generation());
}

/** Fails with `OutdatedFacts` if facts were read under a generation other than the current one. */
export function requireGeneration(under: string | undefined, present: string): void {
  recordGeneration(present);
  if (under !== undefined && under !== present) throw new OutdatedFacts(present);
}

interface PendingReads {
  running: Promise<Generations> | undefined;
  /** Begins after `running` has ended. */
  next: Promise<Generations> | undefined;
}

const pendingReads = () =>
  processWide("generation-reads", (): PendingReads => ({ running: undefined, next: undefined }));

/**
 * The generation of the database's facts about callers, datasets and their freshness. It changes in every transaction
 * that changes any of them (README.md lists which). Facts that were read under the generation returned here are valid
 * at the moment of the call, on every instance. Concurrent callers share statements; each gets the answer of one that
 * began after their call.
 */
export const generation = async (): Promise<string> => (await present()).value;

/**
 * Like `generation()`, but only for what anybody's pages show. It changes when a dataset changes that is or was not
 * private, but not after a sign-up, a new key or the runs of a private table.
 */
export const pagesGeneration = async (): Promise<string> => (await present()).pages;

function present(): Promise<Generations> {
  const state = pendingReads();
  if (!state.running) return begin(state);
  state.next ??= state.running
    .catch(() => undefined)
    .then(() => {
      state.next = undefined;
      return begin(state);
    });
  return state.next;
}

function begin(state: PendingReads): Promise<Generations> {
  const running = asService(read).finally(() => {
    if (state.running === running) state.running = undefined;
  });
  state.running = running;
  return running;
}

async function read(): Promise<Generations> {
  const [row] = await lookUp<Generations>("read-generations", READ, []);
  if (!row) throw new Error('The table "Generation" has no row');
  recordGeneration(row.value);
  return row;
}
