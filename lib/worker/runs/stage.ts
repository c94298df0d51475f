import type { ClaimedRun } from "@/lib/store/runs/run-claims";
import type { Pulse } from "@/lib/worker/heartbeat";

/** The work of one sample or full run, from its sources to its next state. */
export type Stage = (run: ClaimedRun, pulse: Pulse) => Promise<void>;
