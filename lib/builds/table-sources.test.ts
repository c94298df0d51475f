import { expect, test } from "vitest";
import { readRecipe } from "./document/read-recipe";
import { sourcesOfTable } from "./table-sources";

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - {name: a, kind: http, url: "https://data.example.org/a.csv", reader: {format: csv}}
  - {name: b, kind: http, url: "https://data.example.org/b.csv", reader: {format: csv}}
  - {name: c, kind: http, url: "https://data.example.org/c.csv", reader: {format: csv}}
  - {name: d, kind: http, url: "https://data.example.org/d.csv", reader: {format: csv}}
tables:
  - {name: station_list, internal: true, from: b}
  - name: joined
    from: a
    steps: [{step: join, with: station_list, on: [{left: id, right: id}], take: {name: station}}]
  - {name: added, from: c, steps: [{step: union, with: [d, joined], missing: "null"}]}
  - {name: plain, from: d}
publish: {license: CC0-1.0, publisher: {name: Example}}
`;

test("a table's sources are those of its steps and of the tables that it is built from", () => {
  const { recipe } = readRecipe(RECIPE);
  const found = Object.fromEntries(recipe.tables.map(({ name }) => [name, sourcesOfTable(recipe, name)]));
  expect(found).toEqual({ station_list: ["b"], joined: ["a", "b"], added: ["a", "b", "c", "d"], plain: ["d"] });
});
