import type { BuildPlan } from "@/lib/builds/plan";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import type { RunMaterial } from "./run-material";

/** What a stage made, in its folder. */
export interface Made {
  material: RunMaterial;
  folder: string;
  plan: BuildPlan;
  outcome: SandboxOutcome;
}
