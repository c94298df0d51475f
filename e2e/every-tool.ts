import { expect } from "@playwright/test";

interface Asked {
  name: string;
  args: Record<string, unknown>;
  /** Contents of the structured result; for a rejection, its text. */
  answer: Record<string, unknown> | string;
}

const slug = "palmer-penguins";
const some = (...values: Record<string, unknown>[]) =>
  expect.arrayContaining(values.map((value) => expect.objectContaining(value)));

/**
 * A call of every tool, in order, and its result for the penguins. `connected`: by a person's connection rather than
 * with a use key.
 */
export const everyTool = (table_id: string, connected: boolean): Asked[] => [
  { name: "search", args: { query: "penguins" }, answer: { results: some({ id: slug }) } },
  { name: "fetch", args: { id: slug }, answer: { id: slug, text: expect.stringContaining("344 Adelie") } },
  { name: "search_datasets", args: { q: "penguins" }, answer: { total: 1, datasets: some({ slug }) } },
  { name: "get_dataset", args: { slug }, answer: { slug, tables: some({ table_id, rows: 344 }) } },
  { name: "list_tables", args: { slug }, answer: { tables: some({ table_id, columns_total: 7 }) } },
  { name: "get_table_schema", args: { table_id }, answer: { columns: some({ name: "Body Mass (g)", type: "int64" }) } },
  {
    name: "sample_rows",
    args: { table_id, limit: 3 },
    answer: { status: "PARTIAL: 3 of 344 rows", rows: expect.arrayContaining([expect.arrayContaining(["Adelie"])]) },
  },
  {
    name: "list_versions",
    args: { table_id: slug },
    answer: { status: "COMPLETE: 1 version", versions: some({ number: 1, label: "3.2.1", rows: 344 }) },
  },
  {
    name: "compare_versions",
    args: { table_id, from: "1", to: "3.2.1" },
    answer: { rows: expect.objectContaining({ added: 0, unchanged: 344 }) },
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
      status: "COMPLETE: 3 groups",
      rows: expect.arrayContaining([
        ["Adelie", 152],
        ["Chinstrap", 68],
        ["Gentoo", 124],
      ]),
    },
  },
  {
    name: "catalog_search",
    args: { query: "airports" },
    answer: { harvest: expect.objectContaining({ provider: "vega-datasets" }) },
  },
  { name: "list_connected_datasets", args: {}, answer: { datasets: some({ slug }) } },
  { name: "connect_dataset", args: { slug }, answer: connected ? { slug, connected: true } : "key_wrong_type" },
];
