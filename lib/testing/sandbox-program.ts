import { resolve } from "node:path";
import { compiledProgram } from "@/lib/start/programs";
import { digestSources } from "@/lib/start/sources";

/** The sandbox as it runs in production, compiled from the current sources. */
export function sandboxProgram(): Promise<string> {
  const root = resolve(import.meta.dirname, "../..");
  return compiledProgram(root, "sandbox", digestSources(root).program);
}
