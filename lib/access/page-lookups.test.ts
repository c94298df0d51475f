import { expect, test } from "vitest";
import { insideContext } from "@/lib/http/context";
import { lookedUpColumns } from "@/lib/operations/reading/looked-up-columns";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { newWorkspace } from "@/lib/testing/workspace";

useTestState();

test("a page reads the tables of no more lookups than a view has, and none that its reader may not read", async () => {
  const { table_id: id } = await publishText("places", "id,name\n1,one\n");
  const lookup = (as: string, tableId = id) => `${as}:${tableId}:id,place:name`;
  const names = async (...texts: string[]) =>
    (await lookedUpColumns(texts, undefined, insideContext())).map(({ name }) => name);
  expect(await names(lookup("a"), "", lookup("b"))).toEqual(["a.name", "b.name"]);
  expect(await names(...Array.from({ length: 200 }, (_, at) => lookup(`t${at}`)))).toEqual(["t0.name", "t1.name"]);
  expect(await names("", "::", lookup("a", "no uuid"))).toEqual([]);
  const { pool } = await database();
  const { workspaceId } = await newWorkspace();
  await pool.query(`UPDATE "Dataset" SET visibility = 'private', "workspaceId" = $1 WHERE slug = 'places'`, [
    workspaceId,
  ]);
  expect(await names(lookup("a"))).toEqual([]);
});
