import type { Command } from "commander";
import { fillCatalogue } from "@/lib/showcase/first-fill";
import { report } from "./output";

/** `showcase`. */
export function addShowcaseCommand(program: Command): void {
  program
    .command("showcase")
    .description("Publishes the showcase datasets. Existing datasets are not changed.")
    .action(() => fillCatalogue((done, total, text) => report(`[${done}/${total}] ${text}`)));
}
