import { processWide } from "@/lib/kernel/process-wide";
import { lookUp } from "./database";

const READ = `SELECT value FROM "Generation"`;

interface Asked {
  running: Promise<string> | undefined;
  /** Begins once `running` has ended. */
  next: Promise<string> | undefined;
}

const asked = () => processWide("generation-asked", (): Asked => ({ running: undefined, next: undefined }));

/**
 * The generation of what the database says of callers, datasets and their freshness: another string after every
 * transaction that changed any of it (README.md lists what). What was read under the generation that this returns
 * holds at the moment of the call, on every instance. Callers at the same time share statements: each gets the answer
 * of one that began after their call.
 */
export function generation(): Promise<string> {
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

function begin(state: Asked): Promise<string> {
  const running = read().finally(() => {
    if (state.running === running) state.running = undefined;
  });
  state.running = running;
  return running;
}

async function read(): Promise<string> {
  const [row] = await lookUp<{ value: string }>("read-generation", READ, []);
  if (!row) throw new Error('The table "Generation" has no row');
  return row.value;
}
