import type { Stage } from "./stage";
import { onlyRow, type Workbench } from "./workbench";

/** The profile of every column, over all rows, as JSON text: {name: profile}. */
export async function profileStage(bench: Workbench, stage: Stage): Promise<string> {
  const nulls = await onlyRow(bench, `SELECT ${stage.columns.map((_, index) => `(count(*) - count(c${index}))::VARCHAR`).join(", ")} FROM stage`);
  return JSON.stringify(Object.fromEntries(stage.columns.map(({ name }, index) => [name, { null_count: Number(nulls[index]) }])));
}
