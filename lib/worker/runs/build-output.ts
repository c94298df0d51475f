import type { BuildPlan } from "@/lib/builds/plan";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import type { RunMaterial } from "./run-material";

/** The output of a stage, in its folder. */
export interface BuildOutput {
  material: RunMaterial;
  folder: string;
  plan: BuildPlan;
  outcome: SandboxOutcome;
}
