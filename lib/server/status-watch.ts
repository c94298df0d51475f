import type { PartState } from "@/lib/operations/check-readiness";
import { statusRecord } from "@/lib/operations/status-record";

const EVERY_MS = 60_000;

interface Watched {
  states(): Promise<readonly PartState[]>;
  isMaintained(): boolean;
  onError(error: unknown): void;
}

/** Records every minute which parts respond, for the status page. Returns a stop function, which first ends a round. */
export function watchStatus({ states, isMaintained, onError }: Watched, everyMs = EVERY_MS): () => Promise<void> {
  const record = statusRecord();
  let round: Promise<void> | undefined;
  const look = () => {
    if (isMaintained()) record.maintained(new Date());
    else
      round ??= states()
        .then((found) => record.round(new Date(), found))
        .catch(onError)
        .finally(() => {
          round = undefined;
        });
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
