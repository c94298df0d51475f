import type { Command } from "commander";
import { withdraw, withdrawalSchema } from "@/lib/operations/operator/withdraw-version";
import { editColumn } from "@/lib/publish/edit-column";
import { checked, print } from "./output";

const WITHDRAW_HELP = `
Permanent; takes effect on the next request. Queries, downloads, previews, cursors and citations that name the version
return 410 with the reason. If it was the current version, the newest version that is not withdrawn becomes current;
if there is none, the table is not found. The version's record, id and digest remain. To remove the data from shared
caches at once, purge them.

  parquetry version withdraw 6d6f0a52-… --reason "Names of patients by mistake"`;

const COLUMN_HELP = `
Versions never change, so the current rows become a new version whose change is "metadata". An empty string ("")
removes the value.

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
    .description("Manages immutable versions of tables.")
    .command("withdraw <version-id>")
    .description("Withdraws one version of a table, such as one that must no longer be distributed.")
    .requiredOption("--reason <text>", "the reason, shown to everyone who requests the version")
    .option("--json", "print JSON")
    .addHelpText("after", WITHDRAW_HELP)
    .action(async (versionId: string, { json, reason }: { json?: boolean; reason: string }) =>
      print(await withdraw(checked(withdrawalSchema, { versionId, reason })), json),
    );
  program
    .command("column")
    .description("Manages columns of published tables.")
    .command("edit <dataset> <table> <column>")
    .description("Edits the description or unit of a column. Only the given options change.")
    .option("--description <text>", "what the column means")
    .option("--unit <unit>", "UCUM or plain text, such as min, Cel, USD")
    .option("--json", "print the receipt as JSON")
    .addHelpText("after", COLUMN_HELP)
    .action(edit);
}

async function edit(dataset: string, table: string, column: string, options: ColumnOptions): Promise<void> {
  const { description, unit, json } = options;
  if (description === undefined && unit === undefined)
    throw new Error("Nothing to change. Give --description or --unit.");
  print(await editColumn({ dataset, table, column, description, unit }, { now: () => new Date() }), json);
}
