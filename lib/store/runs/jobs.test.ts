import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { closeJobs, jobs, RUN_QUEUE } from "./jobs";

useTestState();

test("no healthy run outlasts its job, also in a queue that an older service made", async () => {
  const lasts = async () => (await (await jobs()).getQueue(RUN_QUEUE))?.expireInSeconds;
  await (await jobs()).updateQueue(RUN_QUEUE, { expireInSeconds: 4200 });
  await closeJobs();
  expect(await lasts()).toBe(86_400);
  await closeJobs();
});
