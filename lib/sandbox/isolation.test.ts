import { expect, test } from "vitest";
import { describeIsolation, isolation } from "./isolation";

test("what is said of the limits is what a child is started with", async () => {
  const { withoutNetwork, hasLimits } = await isolation();
  const said = Object.fromEntries((await describeIsolation()).map(({ name, holds }) => [name, holds]));
  expect(said).toMatchObject({
    files: true,
    network: withoutNetwork !== undefined,
    "address space, file size, processor time": hasLimits,
  });
});
