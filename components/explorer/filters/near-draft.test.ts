import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { type View, WHOLE_TABLE } from "@/lib/view/view";
import { draftNear, emptyNear, nearFault, viewNear } from "./near-draft";

const COLUMNS = [
  { name: "town", type: "string" },
  { name: "latitude", type: "float64" },
  { name: "longitude", type: "float64" },
];
const start = emptyNear(COLUMNS);
const draft = { ...(start as NonNullable<typeof start>), place: "40.70 N 74 W" };
const NEAR = {
  latitude: "latitude",
  longitude: "longitude",
  of: [new LosslessNumber("40.70"), new LosslessNumber("-74")],
  km: new LosslessNumber("10"),
};

test("places are offered where a table has them, under a name that no column has", () => {
  expect(emptyNear(COLUMNS.slice(0, 2))).toBeUndefined();
  expect(draft).not.toHaveProperty("as");
  expect(emptyNear([...COLUMNS, { name: "Distance_km", type: "float64" }])).toMatchObject({ as: "distance_km_2" });
});

test("the nearest rows come first, with their distances, unless it is said otherwise", () => {
  const chosen: View = { ...WHOLE_TABLE, columns: ["town"], order_by: [{ column: "town", direction: "asc" }] };
  const near = viewNear(chosen, draft);
  expect(near).toMatchObject({
    near: NEAR,
    columns: ["town", "distance_km"],
    order_by: [{ column: "distance_km", direction: "asc" }, chosen.order_by[0]],
  });
  // what the reader has chosen since is kept
  const farthest: View = { ...near, columns: ["town"], order_by: [{ column: "distance_km", direction: "desc" }] };
  expect(viewNear(farthest, draftNear(NEAR, farthest))).toEqual(farthest);
  expect(viewNear(near, { ...draft, isFirst: false }).order_by).toEqual(chosen.order_by);
  expect(viewNear(near, undefined)).toEqual({ ...chosen, near: undefined });
});

test("groups are of the near rows, and have no order by distance", () => {
  const grouped: View = { ...WHOLE_TABLE, group_by: ["town"] };
  expect(viewNear(grouped, draft)).toEqual({ ...grouped, near: NEAR });
});

test("what is wrong is said in the service's words, or with examples of places", () => {
  const fault = (change: object) => nearFault(WHOLE_TABLE, { ...draft, ...change }, COLUMNS);
  expect(fault({})).toBeUndefined();
  expect(fault({ place: "New York" })).toContain("such as 40.7128, -74.006");
  expect(fault({ place: "91, 0" })).toBe("Expected degrees from -90 to 90.");
  expect(fault({ km: "0" })).toBe("Expected kilometres: a number greater than 0, up to 20016.");
  expect(fault({ km: "" })).toBeUndefined();
  expect(fault({ km: "", isFirst: false })).toContain("near needs km");
});
