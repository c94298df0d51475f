import { expect, test } from "vitest";
import { readSettings } from "./env";

const WORKSPACE = "0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10";
const ACME = {
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "https://login.example.com",
  OIDC_ACME_CLIENT_ID: "parquetry",
  OIDC_ACME_CLIENT_SECRET: "a client secret",
};

test("a provider has its own settings, with defaults", () => {
  expect(readSettings(ACME).oidcProviders).toEqual([
    {
      id: "acme",
      label: "acme",
      issuer: "https://login.example.com",
      clientId: "parquetry",
      clientSecret: "a client secret",
      scopes: "openid email profile",
      algorithm: "RS256",
      emailsVerified: false,
      groupsClaim: "groups",
      groups: [],
    },
  ]);
});

test("groups give roles in workspaces; their names may contain every sign", () => {
  const groups = `data%2Cteam=${WORKSPACE}:owner, cn=staff=${WORKSPACE.toUpperCase()}:member,100%25=${WORKSPACE}:member`;
  expect(readSettings({ ...ACME, OIDC_ACME_GROUPS: groups }).oidcProviders[0]?.groups).toEqual([
    { group: "data,team", workspaceId: WORKSPACE, role: "owner" },
    { group: "cn=staff", workspaceId: WORKSPACE, role: "member" },
    { group: "100%", workspaceId: WORKSPACE, role: "member" },
  ]);
});

test("several providers, with hyphens in their IDs", () => {
  const second = Object.entries(ACME).map(([name, value]) => [name.replace("ACME", "ACME_EU"), value]);
  const settings = readSettings({ ...ACME, ...Object.fromEntries(second), OIDC_PROVIDERS: "acme, acme-eu" });
  expect(settings.oidcProviders.map(({ id }) => id)).toEqual(["acme", "acme-eu"]);
});

test.each<[string, Record<string, string>, string]>([
  ["an ID in capitals", { OIDC_PROVIDERS: "Acme" }, "OIDC_PROVIDERS: “Acme” is not a short ID."],
  ["another method's ID", { OIDC_PROVIDERS: "github" }, "“github” is the ID of another sign-in method"],
  ["an ID twice", { OIDC_PROVIDERS: "acme,acme" }, "“acme” is listed twice"],
  ["no secret", { OIDC_ACME_CLIENT_SECRET: "" }, "OIDC_ACME_CLIENT_SECRET: "],
  [
    "an issuer without TLS",
    { OIDC_ACME_ISSUER: "http://login.example.com" },
    "OIDC_ACME_ISSUER: Expected the provider",
  ],
  ["scopes without openid", { OIDC_ACME_SCOPES: "email" }, "OIDC_ACME_SCOPES: Expected openid"],
  ["an unsigned algorithm", { OIDC_ACME_ALGORITHM: "none" }, "OIDC_ACME_ALGORITHM: "],
  ["a workspace's name", { OIDC_ACME_GROUPS: "staff=acme:member" }, "“staff=acme:member” is not GROUP=WORKSPACE:ROLE"],
  ["an unknown role", { OIDC_ACME_GROUPS: `staff=${WORKSPACE}:admin` }, "is not GROUP=WORKSPACE:ROLE"],
  ["a stray percent sign", { OIDC_ACME_GROUPS: `100%=${WORKSPACE}:member` }, "is not GROUP=WORKSPACE:ROLE"],
  ["a misspelt setting", { OIDC_ACME_GRUOPS: "x" }, "OIDC_ACME_GRUOPS: unknown setting"],
  ["a provider that is not listed", { OIDC_PARTNER_ISSUER: "https://x.example" }, "OIDC_PROVIDERS does not list its"],
])("%s is rejected at the start, by the setting's name", (_name, wrong, message) => {
  expect(() => readSettings({ ...ACME, ...wrong })).toThrow(message);
});

test("a service that only providers sign people in to needs one", () => {
  expect(() => readSettings({ SIGN_IN_PROVIDERS_ONLY: "true" })).toThrow(
    "SIGN_IN_PROVIDERS_ONLY: nobody could sign in",
  );
  expect(readSettings({ ...ACME, SIGN_IN_PROVIDERS_ONLY: "true" }).SIGN_IN_PROVIDERS_ONLY).toBe(true);
});
