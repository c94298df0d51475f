// `npm start`: builds what is not built, then becomes the compiled server
import { resolve } from "node:path";
import { becomeProgram } from "./become.ts";
import { compiledProgram } from "./programs.ts";
import { buildSite } from "./site.ts";
import { digestSources } from "./sources.ts";

const root = resolve(import.meta.dirname, "../..");
await becomeProgram(root, async () => {
  const digests = digestSources(root);
  const program = await compiledProgram(root, "server", digests.program);
  await buildSite(root, digests.site, (text) => void process.stdout.write(`${text}\n`));
  return program;
});
