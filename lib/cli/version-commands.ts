import type { Command } from "commander";
import { withdraw, withdrawalSchema } from "@/lib/operations/operator/withdraw-version";
import { editColumn } from "@/lib/publish/edit-column";
import { checked, print } from "./output";

const WITHDRAW_HELP = `
For good, and from the next request on: queries, downloads, previews, cursors and citations that name the version answer 410 with the
reason. Where it was the current version, the newest one that is not withdrawn becomes current; where there is none, the table reads
as not found. The row of the version, its id and its digest stay. Purge caches in between when it must be gone at once.

  parquetry version withdraw 6d6f0a52-… --reason "Names of patients by mistake"`;

const COLUMN_HELP = `
A version never changes, so the current rows become a new version whose change is "metadata". An empty text ("") takes the note away.

  parquetry column edit river-levels daily level --unit m --description "Height above the gauge's zero"`;

interface ColumnOptions {
  description?: string;
  unit?: string;
  json?: boolean;
}

/** `version withdraw`, `column edit`. */
export function addVersionCommands(program: Command): void {
  program
    .command("version")
    .description("Immutable versions of tables.")
    .command("withdraw <version-id>")
    .description("Withdraws one version of a table, such as one that must not be given out.")
    .requiredOption("--reason <text>", "why, for everybody who asks for the version")
    .option("--json", "print JSON")
    .addHelpText("after", WITHDRAW_HELP)
    .action(async (versionId: string, { json, reason }: { json?: boolean; reason: string }) =>
      print(await withdraw(checked(withdrawalSchema, { versionId, reason })), json),
    );
  program
    .command("column")
    .description("Columns of published tables.")
    .command("edit <dataset> <table> <column>")
    .description("Changes the description or the unit of a column. Only what is given changes.")
    .option("--description <text>", "what the column means")
    .option("--unit <unit>", "UCUM or plain words, such as min, Cel, USD")
    .option("--json", "print the receipt as JSON")
    .addHelpText("after", COLUMN_HELP)
    .action(edit);
}

async function edit(dataset: string, table: string, column: string, options: ColumnOptions): Promise<void> {
  const { description, unit, json } = options;
  if (description === undefined && unit === undefined)
    throw new Error("Nothing to change: give --description or --unit.");
  print(await editColumn({ dataset, table, column, description, unit }, { now: () => new Date() }), json);
}
