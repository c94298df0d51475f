import { enableCompileCache, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads a compiled program into this process, with stack traces that name the sources; exits after a failed build. */
export async function becomeProgram(root: string, build: () => Promise<string>): Promise<void> {
  const path = await build().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  enableCompileCache(join(root, ".build", "cache")); // packages included: compiling them is half of a start
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  await import(pathToFileURL(path).href);
}
