import { delimiter, dirname, resolve } from "node:path";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { compiledProgram } from "@/lib/start/programs";
import { digestSources } from "@/lib/start/sources";

/** Where a person's programs are: this process's Node first, then npm and the rest. */
export const pathWithNode = (): string => [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Compiles the programs from the current sources, so that this process offers the package as in production. */
export async function compilePackage(): Promise<void> {
  const root = resolve(import.meta.dirname, "../..");
  const program = await compiledProgram(root, "packed-command-line", digestSources(root).program);
  forgetProcessWide("program-folder");
  processWide("program-folder", () => dirname(program));
}
