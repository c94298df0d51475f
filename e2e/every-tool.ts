import { expect } from "@playwright/test";

interface Asked {
  name: string;
  args: Record<string, unknown>;
  /** What the structured result holds; a text where it is a refusal that says this. */
  answer: Record<string, unknown> | string;
}

const slug = "palmer-penguins";
const some = (...values: Record<string, unknown>[]) =>
  expect.arrayContaining(values.map((value) => expect.objectContaining(value)));

/**
 * A call of every tool in their order and what it gives of the penguins; `connected` by a person, or with a use key.
 */
export const everyTool = (table_id: string, connected: boolean): Asked[] => [
  { name: "search", args: { query: "penguins" }, answer: { results: some({ id: slug }) } },
  { name: "fetch", args: { id: slug }, answer: { id: slug, text: expect.stringContaining("344 Adelie") } },
  { name: "search_datasets", args: { q: "penguins" }, answer: { total: 1, datasets: some({ slug }) } },
  { name: "get_dataset", args: { slug }, answer: { slug, tables: some({ tableId: table_id, rows: 344 }) } },
  { name: "list_tables", args: { slug }, answer: { tables: some({ tableId: table_id, columns_total: 7 }) } },
  { name: "get_table_schema", args: { table_id }, answer: { columns: some({ name: "Body Mass (g)", type: "int64" }) } },
  {
    name: "sample_rows",
    args: { table_id, limit: 3 },
    answer: { returned_rows: 3, truncated: true, rows: some({ Species: "Adelie" }) },
  },
  {
    name: "get_download_instructions",
    args: { table_id },
    answer: { rows: 344, url: expect.stringMatching(`${table_id}/current$`) },
  },
  { name: "get_access_instructions", args: {}, answer: { sign_up_url: expect.stringContaining("/sign-up") } },
  {
    name: "query_table",
    args: { table_id, columns: [], group_by: ["Species"], aggregates: [{ function: "count", as: "n" }] },
    answer: {
      returned_rows: 3,
      truncated: false,
      rows: some({ Species: "Adelie", n: 152 }, { Species: "Chinstrap", n: 68 }, { Species: "Gentoo", n: 124 }),
    },
  },
  {
    name: "catalog_search",
    args: { query: "airports" },
    answer: { sweep: expect.objectContaining({ provider: "vega-datasets" }) },
  },
  { name: "list_connected_datasets", args: {}, answer: { datasets: some({ slug }) } },
  { name: "connect_dataset", args: { slug }, answer: connected ? { slug, connected: true } : "key_wrong_type" },
];
