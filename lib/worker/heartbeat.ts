import { type RunClaim, recordHeartbeat } from "@/lib/store/runs/run-claims";
import { Interrupted } from "./runs/run-failure";

const BEAT_MS = 2_000;

export interface Progress {
  phase: string;
  done: number;
  of: number | null;
  unit: string;
}

export interface Pulse {
  /** Aborted, with an `Interrupted` as its reason, when the work must end. */
  signal: AbortSignal;
  /** The progress that the next heartbeat reports. */
  progress(progress: Progress): void;
}

/**
 * Runs `work` while this worker holds the run, with heartbeats in the database. Aborts it if another worker took the
 * run, somebody cancelled it, or the worker stops.
 */
export async function withHeartbeat<T>(
  claim: RunClaim,
  stop: AbortSignal,
  work: (pulse: Pulse) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  let latest: Progress | undefined;
  const progress = (reported: Progress) => {
    latest = reported;
  };
  const look = async () => {
    const reported = latest;
    latest = undefined;
    // a database outage should be short
    const state = await recordHeartbeat(claim, reported && { ...reported }, new Date()).catch(() => "held" as const);
    if (state !== "held") control.abort(new Interrupted(state));
  };
  const onStop = () => control.abort(new Interrupted("stop"));
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  const timer = setInterval(() => void look(), BEAT_MS);
  try {
    return await work({ signal: control.signal, progress });
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error; // the abort caused the failure
  } finally {
    clearInterval(timer);
    stop.removeEventListener("abort", onStop);
  }
}
