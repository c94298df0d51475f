import { expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { grantsOf } from "./oidc";

const [A, B] = ["0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10", "1b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10"];
const [provider] = readSettings({
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "https://login.example.com",
  OIDC_ACME_CLIENT_ID: "parquetry",
  OIDC_ACME_CLIENT_SECRET: "a client secret",
  OIDC_ACME_GROUPS: `staff=${A}:member,leads=${A}:owner,interns=${A}:member,staff=${B}:member`,
}).oidcProviders;

const granted = (claims: Record<string, unknown>) => {
  const { grants, end } = grantsOf({ sub: "1", ...claims }, provider as NonNullable<typeof provider>);
  return [grants.map(({ workspaceId, role }) => `${workspaceId === A ? "A" : "B"} ${role}`).join(", "), end];
};

test.each<[string, Record<string, unknown>, string, string]>([
  ["the highest role counts", { groups: ["interns", "leads", "staff"] }, "A owner, B member", "group ended"],
  ["one group as a string", { groups: "staff" }, "A member, B member", "group ended"],
  ["groups without a meaning here", { groups: ["others", 7, null, { staff: 1 }] }, "", "group ended"],
  ["an empty list", { groups: [] }, "", "group ended"],
  ["no claim", {}, "", "groups claim absent"],
  ["a claim that is elsewhere", { _claim_names: { groups: "src1" } }, "", "groups claim elsewhere"],
])("%s", (_name, claims, grants, end) => {
  expect(granted(claims)).toEqual([grants, end]);
});
