import { resolve } from "node:path";
import { compiledProgram } from "@/lib/start/programs";
import { digestSources } from "@/lib/start/sources";

/** The thread that writes pages as it runs in production, compiled from the current sources. */
export function writingProgram(): Promise<string> {
  const root = resolve(import.meta.dirname, "../..");
  return compiledProgram(root, "writing-thread", digestSources(root).program);
}
