/**
 * A person's question about one table in their own words: no names, values or types of the data except what they would
 * say.
 */
export interface Asked {
  /** What an agent would search for. */
  about: string;
  /** Which table, if the dataset has several. */
  table?: string;
  where?: readonly Condition[];
  /** The things whose values are requested. */
  tell?: readonly string[];
  /** A number of rows, or a figure over a thing. */
  figure?: "how many" | readonly [Figure, thing: string];
  per?: string;
  /** The order: by a thing, or by the figure. */
  most?: string | "figure";
  least?: string | "figure";
  /** Only groups whose figure exceeds this. */
  moreThan?: number;
  /**
   * The things are columns, spelt as the person remembers them. The schema is not read, and the advice in a rejection
   * is followed.
   */
  dictated?: true;
  /** How many rows are requested; only the first if absent. */
  rows?: number | "all";
}

type Figure = "sum" | "average" | "median" | "largest" | "smallest" | "different";
export type Relation =
  | "is"
  | "is one of"
  | "over"
  | "at least"
  | "under"
  | "at most"
  | "between"
  | "in the year"
  | "on the day"
  | "contains"
  | "starts with"
  | "is unknown";
export type Condition = readonly [thing: string, relation: Relation, value?: unknown];

export const all = (...conditions: Condition[]): readonly Condition[] => conditions;

/** In a condition of a later step, `that` stands for the first value found by the preceding step. */
export const THAT = "that";

export interface Question {
  ask: string;
  steps: readonly Asked[];
  /**
   * The values of the rows, in order, or `not in the data` with what is missing. Computed from the sources' own files,
   * without this service.
   */
  answer: readonly unknown[];
}

export const one = (ask: string, asked: Asked, ...answer: unknown[]): Question => ({ ask, steps: [asked], answer });

export const birds = { about: "bird strikes" };
export const penguins = { about: "penguins" };
export const weather = { about: "daily weather" };
export const co2 = { about: "Mauna Loa CO2" };
export const zip = { about: "ZIP codes" };
export const quakes = { about: "earthquakes" };
export const node = { about: "Node.js releases" };
export const browsers = { about: "browser compatibility" };
export const languages = { about: "language subtags" };
