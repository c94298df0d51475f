import { Failure } from "@/lib/kernel/errors";
import { proveKey } from "@/lib/publish/primary-key";
import { sealStage } from "@/lib/publish/seal";
import type { RecipeTable } from "@/lib/schemas/recipe";
import { BuildStopped } from "./build-stopped";
import type { TablesRun } from "./build-table";
import { slugOf } from "./document/read-recipe";
import type { BuildBench } from "./plan";
import type { Relation } from "./relation";

/**
 * Proves the key and writes the Parquet file, as publishing does. Both read `stage`, which is a view here, since a copy
 * of a large table costs as much time and memory as its steps.
 */
export async function sealTable(run: TablesRun, table: RecipeTable, stored: string, relation: Relation): Promise<void> {
  if (table.internal) return;
  const { bench } = run;
  const cells = relation.columns.map(({ type }, at) =>
    type?.json.kind === "any" ? `CAST(c${at} AS JSON) AS c${at}` : `c${at}`,
  );
  await bench.run(`CREATE VIEW stage AS SELECT ${cells.join(", ")}, rowid FROM ${stored}`);
  const columns = relation.columns.map(({ name, type }) => ({ name, type: type?.name ?? "string" }));
  const [count] = await bench.rows("SELECT CAST(count(*) AS VARCHAR) FROM stage");
  const stage = { columns, rows: Number(count?.[0] ?? 0) };
  await proved(table, () => proveKey(bench, stage, table.primary_key));
  const { publish } = run.recipe;
  const slug = slugOf(table);
  const texts = {
    dataset: { ...run.plan.dataset, license: publish.license, publisher: publish.publisher },
    table: { slug, license: table.license ?? null },
  };
  const notes = (table.columns ?? []).map(({ name, description, unit }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(unit !== undefined && { unit }),
  }));
  const path = `out/${table.name}.parquet`;
  const sealed = await sealStage(bench, stage, texts, notes, table.order_by, table.primary_key, path);
  const file = {
    table: table.name,
    slug,
    path,
    rows: stage.rows,
    columns: sealed.columns,
    primaryKey: [...table.primary_key],
    dataThrough: await dataThrough(bench, table, relation),
  };
  await bench.run("DROP VIEW stage");
  run.outcome.files.push(file);
  run.emit({ file });
}

async function proved(table: RecipeTable, prove: () => Promise<void>): Promise<void> {
  try {
    await prove();
  } catch (error) {
    if (error instanceof Failure)
      throw new BuildStopped({ code: "key_violation", message: error.message, at: { table: table.name } });
    throw error;
  }
}

async function dataThrough(bench: BuildBench, table: RecipeTable, relation: Relation): Promise<string | null> {
  const at = relation.columns.findIndex(({ name }) => name === table.time_column);
  if (at < 0) return null;
  const [row] = await bench.rows(`SELECT CAST(CAST(max(c${at}) AS DATE) AS VARCHAR) FROM stage`);
  return row?.[0] ?? null;
}
