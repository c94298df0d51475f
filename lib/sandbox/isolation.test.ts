import { expect, test } from "vitest";
import { describeIsolation, isolation } from "./isolation";

test("the reported limits are those that a child is started with", async () => {
  const { withoutNetwork, hasLimits } = await isolation();
  const said = Object.fromEntries((await describeIsolation()).map(({ name, holds }) => [name, holds]));
  expect(said).toMatchObject({
    files: true,
    network: withoutNetwork !== undefined,
    "address space, file size, processor time": hasLimits,
  });
});
