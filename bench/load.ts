import type { Answer } from "./client";

export interface Load {
  answers: number;
  seconds: number;
  /** Number of replies per status; `failed` if there was none, `bare` for a 503 or 429 without Retry-After. */
  statuses: Map<string, number>;
  latencies: number[];
}

/**
 * Runs `clients` that each send the next request as soon as they get a reply, for `seconds` or until `most` were sent.
 */
export async function load(
  ask: (number: number) => Promise<Answer>,
  clients: number,
  until: { seconds: number; most?: number },
): Promise<Load> {
  const startedAt = performance.now();
  const { seconds, most = Number.POSITIVE_INFINITY } = until;
  const made: Load = { answers: 0, seconds: 0, statuses: new Map(), latencies: [] };
  let asked = 0;
  const work = async () => {
    while (performance.now() - startedAt < seconds * 1000 && asked < most)
      note(made, await ask(asked++).catch(() => undefined));
  };
  await Promise.all(Array.from({ length: clients }, work));
  made.seconds = (performance.now() - startedAt) / 1000;
  return made;
}

function note(made: Load, answer: Answer | undefined): void {
  const status = statusOf(answer);
  made.statuses.set(status, (made.statuses.get(status) ?? 0) + 1);
  if (answer?.status !== 200) return;
  made.answers += 1;
  made.latencies.push(answer.ms);
}

function statusOf(answer: Answer | undefined): string {
  if (!answer) return "failed";
  const mustTell = answer.status === 503 || answer.status === 429;
  return mustTell && !answer.headers["retry-after"] ? `${answer.status} bare` : String(answer.status);
}

export const perSecond = (made: Load): number => made.answers / made.seconds;

/** Replies other than 200, 429, or 503 with Retry-After. */
export function failures({ statuses }: Load): number {
  return [...statuses]
    .filter(([status]) => !["200", "429", "503"].includes(status))
    .reduce((sum, [, count]) => sum + count, 0);
}

export const statusList = ({ statuses }: Load): string =>
  [...statuses].map(([status, count]) => `${status}: ${count}`).join(", ");
