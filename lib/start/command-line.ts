// `npm run parquetry`: compiles the command line if necessary, then becomes it
import { resolve } from "node:path";
import { becomeProgram } from "./become.ts";
import { compiledProgram } from "./programs.ts";
import { digestSources } from "./sources.ts";

const root = resolve(import.meta.dirname, "../..");
await becomeProgram(
  root,
  () => compiledProgram(root, "command-line", digestSources(root).program),
  (message) => void process.stderr.write(`${message}\n`),
);
