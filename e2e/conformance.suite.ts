import { expect, test } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { type Run, runSuite } from "./conformance-run";

const OLD = "0.1.16";
const NEW = "0.2.0-alpha.12";
const service = () => test.info().project.use.baseURL ?? "";
const fixture = process.env.CONFORMANCE_FIXTURE ?? "";

/** Scenarios that call nothing by name, so a server with any tools can run them. */
const ANY_SERVER = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"];
const ANY_DIRECT_SERVER = [
  "tools-list",
  "resources-list",
  "dns-rebinding-protection",
  "sep-2164-resource-not-found",
  "http-header-validation",
  "input-required-result-unsupported-methods",
];

const serverRun = (version: string, ...args: string[]): Run => ({
  version,
  command: "server",
  args: ["--url", ...args],
});

async function connectorPasses(version: string, scenarios: readonly string[], ...args: string[]): Promise<void> {
  const file = `connector-${version}${args.length > 0 ? `-${args.at(-1)}` : ""}.txt`;
  const runs = scenarios.map((scenario) => serverRun(version, `${service()}/api/mcp`, "--scenario", scenario, ...args));
  expect(await runSuite(file, runs)).toEqual(scenarios.map(() => 0));
}

test(`the connector: ${OLD}`, () => connectorPasses(OLD, ANY_SERVER));
test(`the connector: ${NEW} at 2025-11-25`, () =>
  connectorPasses(NEW, [...ANY_SERVER, "server-session-lifecycle"], "--spec-version", "2025-11-25"));
test(`the connector: ${NEW} at 2026-07-28`, () =>
  connectorPasses(NEW, ANY_DIRECT_SERVER, "--spec-version", "2026-07-28"));

const SKILLS = ["sep-2640-skills-enumeration", "sep-2640-skills-manifest"];

test(`the connector's skills: ${NEW}`, async () => {
  const direct = ["--spec-version", "2026-07-28", "--force"];
  const runs = SKILLS.map((scenario) => serverRun(NEW, `${service()}/api/mcp`, "--scenario", scenario, ...direct));
  expect(await runSuite(`connector-skills-${NEW}.txt`, runs)).toEqual(SKILLS.map(() => 0));
});

async function fixturePasses(version: string, revision: string, ...args: string[]): Promise<void> {
  const run = serverRun(
    version,
    `${fixture}/api/mcp`,
    ...args,
    "--expected-failures",
    `docs/conformance/not-applicable-${revision}.yml`,
  );
  expect(await runSuite(`fixture-${version}${args[0] === "--requirements" ? `-${revision}` : ""}.txt`, [run])).toEqual([
    0,
  ]);
}

test(`the fixture on the connector's transport: every scenario of ${OLD}`, () =>
  fixturePasses(OLD, "2025-11-25", "--suite", "all"));
for (const revision of ["2025-11-25", "2026-07-28"]) {
  test(`the fixture: everything that ${revision} requires, by ${NEW}`, () =>
    fixturePasses(NEW, revision, "--requirements", revision));
}

const CALLBACK_PORT = "3911";

test(`the authorization server: ${NEW}`, async ({ browser, request }) => {
  const { page } = await (await BrowserPerson.arrive(browser, "conformance")).signUp();
  const registration = {
    client_name: "Conformance suite",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
  };
  const { client_id } = await (await request.post("/api/oauth/register", { data: registration })).json();
  const args = [
    "--url",
    service(),
    "--client-id",
    client_id,
    "--resource",
    `${service()}/api/mcp`,
    "-p",
    CALLBACK_PORT,
  ];
  let asked: string | undefined;
  const allow = async (printed: string): Promise<void> => {
    if (asked !== undefined) return;
    asked = /http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/.exec(printed)?.[0];
    if (asked === undefined) return;
    await page.goto(asked);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
  };
  expect(
    await runSuite(`authorization-${NEW}.txt`, [{ version: NEW, command: "authorization", args, onPrinted: allow }]),
  ).toEqual([0]);
});
