import { expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { useTestState } from "@/lib/testing/database";
import { closeJobs, jobs, RUN_QUEUE } from "./jobs";

useTestState();

test("jobs of runs last as long as BUILD_SECONDS_FULL says, also after the setting changed", async () => {
  const lasts = async () => (await (await jobs()).getQueue(RUN_QUEUE))?.expireInSeconds;
  expect(await lasts()).toBe(4200);
  await closeJobs();
  env().BUILD_SECONDS_FULL = 7200;
  expect(await lasts()).toBe(7800);
  await closeJobs();
});
