import type { Json } from "@/lib/describe/snippet-text";
import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { OperatorName } from "@/lib/engine/types/operators";
import type { SampleDataset } from "./sample";

interface Example<Part> {
  dataset: SampleDataset;
  part: Part;
  /** The number of rows that match the filter, or the function's result, over the whole table. */
  gives: Json;
}

/** A filter for each operator. The tests ask the service how many rows match it. */
export const OPERATOR_EXAMPLES: Readonly<
  Record<OperatorName, Example<{ column: string; operator: OperatorName; value?: Json }>>
> = {
  eq: { dataset: "us-flights-2001", part: { column: "origin", operator: "eq", value: "LAS" }, gives: 67_192 },
  neq: { dataset: "palmer-penguins", part: { column: "Sex", operator: "neq", value: "MALE" }, gives: 166 },
  in: {
    dataset: "palmer-penguins",
    part: { column: "Island", operator: "in", value: ["Dream", "Torgersen"] },
    gives: 176,
  },
  not_in: {
    dataset: "palmer-penguins",
    part: { column: "Island", operator: "not_in", value: ["Dream", "Torgersen"] },
    gives: 168,
  },
  gt: { dataset: "mauna-loa-co2", part: { column: "CO2", operator: "gt", value: 400 }, gives: 63 },
  gte: {
    dataset: "earthquakes-2018",
    part: { column: "time", operator: "gte", value: "2018-02-06T00:00:00Z" },
    gives: 227,
  },
  lt: { dataset: "mauna-loa-co2", part: { column: "Date", operator: "lt", value: "1960-01-01" }, gives: 20 },
  lte: { dataset: "us-flights-2001", part: { column: "delay", operator: "lte", value: 0 }, gives: 1_657_324 },
  between: {
    dataset: "mauna-loa-co2",
    part: { column: "Date", operator: "between", value: ["2019-01-01", "2019-12-31"] },
    gives: 12,
  },
  contains: {
    dataset: "earthquakes-2018",
    part: { column: "place", operator: "contains", value: "Alaska" },
    gives: 313,
  },
  not_contains: {
    dataset: "earthquakes-2018",
    part: { column: "place", operator: "not_contains", value: "Alaska" },
    gives: 1394,
  },
  starts_with: {
    dataset: "nodejs-releases",
    part: { column: "version", operator: "starts_with", value: "20." },
    gives: 21,
  },
  ends_with: {
    dataset: "earthquakes-2018",
    part: { column: "place", operator: "ends_with", value: ", Hawaii" },
    gives: 46,
  },
  has: { dataset: "earthquakes-2018", part: { column: "sources", operator: "has", value: "hv" }, gives: 46 },
  is_null: { dataset: "palmer-penguins", part: { column: "Sex", operator: "is_null" }, gives: 10 },
  is_not_null: { dataset: "earthquakes-2018", part: { column: "felt", operator: "is_not_null" }, gives: 127 },
};

/** An example of each function. The tests compare the service's result. */
export const FUNCTION_EXAMPLES: Readonly<
  Record<
    AggregateName,
    Example<{ function: AggregateName; column?: string; with?: string; as: string; at?: number; filters?: Json }>
  >
> = {
  count: { dataset: "us-flights-2001", part: { function: "count", as: "flights" }, gives: 3_000_000 },
  count_distinct: {
    dataset: "us-flights-2001",
    part: { function: "count_distinct", column: "origin", as: "airports" },
    gives: 229,
  },
  sum: { dataset: "us-flights-2001", part: { function: "sum", column: "distance", as: "miles" }, gives: 2_194_861_208 },
  avg: {
    dataset: "us-flights-2001",
    part: { function: "avg", column: "delay", as: "mean_delay" },
    gives: 6.667867666666667,
  },
  min: { dataset: "mauna-loa-co2", part: { function: "min", column: "Date", as: "first_month" }, gives: "1958-03-01" },
  max: { dataset: "mauna-loa-co2", part: { function: "max", column: "CO2", as: "highest" }, gives: 416.18 },
  median: {
    dataset: "palmer-penguins",
    part: { function: "median", column: "Body Mass (g)", as: "median_mass" },
    gives: 4050.0,
  },
  quantile: {
    dataset: "palmer-penguins",
    part: { function: "quantile", column: "Body Mass (g)", at: 0.9, as: "heavy" },
    gives: 5400.0,
  },
  stddev: {
    dataset: "palmer-penguins",
    part: { function: "stddev", column: "Beak Length (mm)", as: "spread" },
    gives: 5.459583713926537,
  },
  variance: {
    dataset: "palmer-penguins",
    part: { function: "variance", column: "Beak Length (mm)", as: "variance" },
    gives: 29.80705432937188,
  },
  share: {
    dataset: "us-flights-2001",
    part: { function: "share", filters: [{ column: "delay", operator: "gt", value: 15 }], as: "late" },
    gives: 0.199685,
  },
  corr: {
    dataset: "palmer-penguins",
    part: { function: "corr", column: "Body Mass (g)", with: "Flipper Length (mm)", as: "together" },
    gives: 0.871201767306011,
  },
  slope: {
    dataset: "palmer-penguins",
    part: { function: "slope", column: "Body Mass (g)", with: "Flipper Length (mm)", as: "grams_per_mm" },
    gives: 49.68556640609979,
  },
};
