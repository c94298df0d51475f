import { expect, test } from "vitest";
import { sealedDataset } from "@/lib/testing/hosted";
import { useOffice } from "@/lib/testing/office";

const rig = await useOffice({ ARTIFACT_BYTES: "100" });

test("a release too large for the hosted table API is reported when it is sealed, not at its download", async () => {
  const dataset = await sealedDataset(rig, "Large", { promote: false });
  const { current, releases } = await rig.call("get_table", { dataset, table: "levels" });
  expect([current, releases]).toMatchObject([null, [{ hosted_too_large: true }]]);
  const { events } = await rig.call("run_events", { run_id: releases[0].run_id, limit: 200 });
  const { bytes } = releases[0];
  expect(events.map(({ kind, data }: { kind: string; data: unknown }) => [kind, data])).toContainEqual([
    "warning",
    { warning: "hosted_too_large", table: "levels", bytes },
  ]);
});
