import type { Command } from "commander";
import { fillCatalogue } from "@/lib/showcase/first-fill";
import { report } from "./output";

/** `showcase`. */
export function addShowcaseCommand(program: Command): void {
  program
    .command("showcase")
    .description("Fills the catalogue with the showcase data; what is there already stays as it is.")
    .action(() => fillCatalogue((done, total, text) => report(`[${done}/${total}] ${text}`)));
}
