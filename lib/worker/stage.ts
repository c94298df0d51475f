import type { ClaimedRun } from "@/lib/store/builds/run-claims";
import type { Pulse } from "./heartbeat";

/** The work of one sample or full run, from its sources to its next state. */
export type Stage = (run: ClaimedRun, pulse: Pulse) => Promise<void>;
