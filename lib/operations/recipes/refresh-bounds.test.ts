import { expect, test } from "vitest";
import type { Failure } from "@/lib/kernel/errors";
import type { Recipe, Refresh } from "@/lib/schemas/recipe";
import { requireRefreshBounds } from "./refresh-bounds";

const faultsOf = (refresh: Partial<Refresh>) => {
  try {
    requireRefreshBounds({ refresh } as Recipe);
    return [];
  } catch (error) {
    return (error as Failure).faults;
  }
};

test("sources are not read more often than REFRESH_MIN_MINUTES allows, 15 by default", () => {
  expect(faultsOf({ every: "PT15M", read_every: "PT15M" })).toEqual([]);
  expect(faultsOf({ every: "PT14M59S", read_every: "PT1M" })).toEqual([
    {
      ...{ pointer: "/refresh/every", code: "invalid_value" },
      message: "Invalid interval: PT14M59S. Use at least 15 minutes, PT15M.",
    },
    {
      ...{ pointer: "/refresh/read_every", code: "invalid_value" },
      message: "Invalid interval: PT1M. Use at least 15 minutes, PT15M.",
    },
  ]);
});
