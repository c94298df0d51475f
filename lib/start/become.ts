import { enableCompileCache, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Loads a compiled program into this process, with stack traces that name the sources. After a failed build, or with
 * invalid settings, tells `onFailure` why and exits.
 */
export async function becomeProgram(
  root: string,
  build: () => Promise<string>,
  onFailure: (message: string) => void,
): Promise<void> {
  const end = (error: unknown): never => {
    onFailure(error instanceof Error ? error.message : String(error));
    process.exit(1);
  };
  const path = await build().catch(end);
  enableCompileCache(join(root, ".build", "cache")); // packages included: compiling them is half of a start
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  await import(pathToFileURL(path).href).catch((error: unknown) => {
    if (error instanceof Error && error.name === "InvalidSettings") end(error); // read while the program is loaded
    throw error;
  });
}
