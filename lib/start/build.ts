// `npm run build`: builds everything that a start would otherwise build
import { resolve } from "node:path";
import { compiledProgram } from "./programs.ts";
import { buildSite } from "./site.ts";
import { digestSources } from "./sources.ts";

const root = resolve(import.meta.dirname, "../..");
const digests = digestSources(root);
await compiledProgram(root, "server", digests.program);
await buildSite(root, digests.site, (text) => void process.stdout.write(`${text}\n`));
