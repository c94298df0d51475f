import { expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { ensureOwnWorkspace } from "@/lib/store/people/workspaces";
import { useTestState } from "@/lib/testing/database";
import { doctor } from "./doctor";

const [SHARED, MISSING] = ["0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10", "1b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10"];

useTestState({
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "https://login.example.com",
  OIDC_ACME_CLIENT_ID: "parquetry",
  OIDC_ACME_CLIENT_SECRET: "a client secret",
  OIDC_ACME_GROUPS: `staff=${SHARED}:member,leads=${MISSING}:owner,staff=${MISSING}:member`,
});

test("a workspace that the settings of groups name, and that does not exist, is found", async () => {
  await ensureOwnWorkspace(SHARED, "Shared", ADMINISTRATOR);
  const found = (await doctor({ fix: false })).filter(({ problem }) => problem === "workspace_of_groups_unusable");
  expect(found.map(({ subject }) => subject)).toEqual([
    `OIDC_ACME_GROUPS: the workspace ${MISSING} does not exist. Correct the ID; parquetry workspace list shows them.`,
  ]);
});
