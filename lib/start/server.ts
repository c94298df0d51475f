// `npm start`: becomes the compiled server, which already serves while pages that are not built yet are being built
import { resolve } from "node:path";
import { becomeProgram } from "./become.ts";
import { compiledProgram } from "./programs.ts";
import { say } from "./say.ts";
import { buildSite, isSiteBuilt } from "./site.ts";
import { keepSiteBuild } from "./site-build.ts";
import { digestSources } from "./sources.ts";

const root = resolve(import.meta.dirname, "../..");
await becomeProgram(
  root,
  async () => {
    const digests = digestSources(root);
    const program = await compiledProgram(root, "server", digests.program);
    if (!isSiteBuilt(root, digests.site)) keepSiteBuild(buildSite(root, digests.site, say));
    return program;
  },
  (message) => say(message, "fatal"),
);
