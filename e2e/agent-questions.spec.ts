import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { QUESTIONS } from "./agent-questions";
import { BrowserPerson } from "./browser-person";
import { CallbackServer } from "./callback-server";
import { ONE_CALL_QUESTIONS } from "./one-call-questions";
import { setVisibility } from "./people";
import { LIBRARIES, RealAgent } from "./real-agent";
import { ScriptedAgent } from "./scripted-agent";
import { parquetry, readerKey } from "./service";
import { test } from "./test";

const connector = (): string => `${test.info().project.use.baseURL}/api/mcp`;
const CITED = /^Cite: .*, sha256:[0-9a-f]{64}, queried \S+ \S+\/versions\/[0-9a-f-]{36}$/;
/** Calls and tokens of each question. */
const spent: { calls: number; tokens: number }[] = [];
const mean = (all: readonly number[]): number => Math.round(all.reduce((sum, one) => sum + one, 0) / all.length);

test(
  `an agent answers ${QUESTIONS.length} questions through the tools alone, each rightly, cited and within 3,000 ` +
    "tokens a step",
  async () => {
    const asked: { ask: string; calls: number; tokens: number; structured: number }[] = [];
    const byTool = new Map<string, number[][]>();
    for (const question of QUESTIONS) {
      const agent = await ScriptedAgent.connect(connector(), readerKey());
      const answer = await agent.answer(question);
      const shown =
        answer.length > 100 ? [answer.length, ...(answer[0] as unknown[]), ...(answer.at(-1) as unknown[])] : answer;
      expect.soft([question.ask, shown]).toEqual([question.ask, question.answer]);
      for (const text of agent.rowReplies)
        expect
          .soft(text)
          .toMatch(
            /^(?:PARTIAL|COMPLETE|TOP) ?:? ?[\s\S]*\nCite: .*, sha256:[0-9a-f]{64}, queried \S+ \S+\/versions\/[0-9a-f-]{36}/,
          );
      const tokens = agent.spent.reduce((sum, call) => sum + call.tokens, 0);
      expect.soft([question.ask, tokens < 3000 * question.steps.length || tokens]).toEqual([question.ask, true]);
      asked.push({
        ask: question.ask,
        calls: agent.spent.length,
        tokens,
        structured: agent.spent.reduce((sum, call) => sum + call.structured, 0),
      });
      for (const call of agent.spent)
        byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), [call.tokens, call.structured]]);
      await agent.close();
    }
    const tools = [...byTool].map(([tool, all]) => ({
      tool,
      calls: all.length,
      tokens: mean(all.map(([text = 0]) => text)),
      structured: mean(all.map((both) => both[1] ?? 0)),
    }));
    const whole = {
      questions: asked.length,
      calls: asked.reduce((sum, { calls }) => sum + calls, 0) / asked.length,
      tokens: mean(asked.map(({ tokens }) => tokens)),
      most: Math.max(...asked.map(({ tokens }) => tokens)),
    };
    spent.push(...asked);
    process.stdout.write(`the questions in people's words: ${JSON.stringify(whole)}\n`);
    await test.info().attach("calls-and-tokens.json", {
      contentType: "application/json",
      body: JSON.stringify({ whole, tools, asked }, null, 2),
    });
  },
);

test.afterAll(() => {
  const calls = spent.reduce((sum, one) => sum + one.calls, 0) / spent.length;
  const tokens = mean(spent.map((one) => one.tokens));
  process.stdout.write(`${spent.length} questions: ${calls.toFixed(2)} calls and ${tokens} tokens on average\n`);
});

for (const { ask, args, status, rows, notes, says = "" } of ONE_CALL_QUESTIONS) {
  test(`${ask} One call answers it, both in the structured content and in the text`, async () => {
    const agent = await ScriptedAgent.connect(connector(), readerKey());
    const { text, structured } = await agent.call("query_table", args);
    const lines = text.split("\n");
    const listed = lines.filter((line) => line.startsWith("[")).map((line) => JSON.parse(line));
    for (const shown of [structured.rows, listed]) expect(shown.slice(0, rows.length)).toEqual(rows);
    for (const shown of [structured.status, lines[0]]) expect(shown).toEqual(status);
    for (const shown of [...structured.citation.split("\n"), lines.at(-1)]) expect(shown).toMatch(CITED);
    const said: { code: string; message: string }[] = structured.execution.notes ?? [];
    if (notes) expect(said.map(({ code }) => code)).toEqual(notes);
    for (const shown of [said.map(({ message }) => message).join(" "), text]) expect(shown).toContain(says);
    for (const { message } of said) expect(text).toContain(message);
    spent.push({ calls: 1, tokens: agent.spent[0]?.tokens ?? 0 });
    await agent.close();
  });
}

test("an agent says what changed in MIME types from 1.52 to 1.54", async () => {
  const agent = await ScriptedAgent.connect(connector(), readerKey());
  const versions = { table_id: "mime-types", from: "1.52.0", to: "1.54.0" };
  const { text, structured } = await agent.call("compare_versions", versions);
  expect(structured.rows).toMatchObject({ added: 248, removed: 5, changed: 56 });
  expect(text).toMatch(/^COMPLETE: From 1\.52\.0 to 1\.54\.0: 248 rows added, 5 removed, 56 changed, /);
  await agent.close();
});

test("an agent reads the full text of GPL-3.0 part by part", async () => {
  const agent = await ScriptedAgent.connect(connector(), readerKey());
  const filters = [{ column: "license_id", operator: "eq", value: "GPL-3.0" }];
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const cell = { column: "license_text", offset };
    const { text, structured } = await agent.call("query_table", { table_id: "spdx-licenses", filters, cell });
    const [line = "[]"] = text.split("\n").filter((each) => each.startsWith("["));
    expect(JSON.parse(line)).toEqual(structured.rows[0]);
    parts.push(structured.rows[0][0]);
    offset = structured.execution.cell.next_offset;
  }
  expect(parts.join("")).toMatch(/^GNU GENERAL PUBLIC LICENSE[\s\S]*why-not-lgpl\.html/);
  await agent.close();
});

test(
  "an agent says what a provider offers beyond the catalogue, as of when, and of how much of it the licence is " +
    "known",
  async () => {
    const agent = await ScriptedAgent.connect(connector(), readerKey());
    const { structured, text } = await agent.call("catalog_search", {
      query: "",
      format: "csv",
      license: "unknown",
      limit: 50,
    });
    expect(structured.sources.map(({ name }: { name: string }) => name).sort()).toEqual([
      "la_riots",
      "sp500",
      "sp500_2000",
      "stocks",
      "windvectors",
    ]);
    expect(structured.harvest.coverage).toMatchObject({ state: "partial", listed: 73, with_license: 58 });
    expect(text).toContain(structured.harvest.harvested_at);
    const airports = await agent.call("catalog_search", { query: "airports" });
    expect(airports.structured.sources[0]).toMatchObject({ name: "airports", format: "csv" });
    await agent.close();
  },
);

test("an agent downloads a table as instructed, verifies its digest, and cites its dataset", async ({ request }) => {
  const agent = await ScriptedAgent.connect(connector(), readerKey());
  const { results } = (await agent.call("search", { query: "penguins" })).structured;
  const dataset = (await agent.call("get_dataset", { slug: results[0].id })).structured;
  const told = (await agent.call("get_download_instructions", { table_id: dataset.tables[0].table_id })).structured;
  const [header = ""] = told.header.split(":");
  const file = await (await request.get(told.url, { headers: { [header]: readerKey() } })).body();
  expect([file.byteLength, `sha256:${createHash("sha256").update(file).digest("hex")}`, told.rows]).toEqual([
    told.bytes,
    told.content_digest,
    344,
  ]);
  expect(dataset.citation).toMatch(
    /^Palmer Station Antarctica LTER \(\d{4}\)\. Palmer Archipelago penguins .*sha256:[0-9a-f]{64}.*https?:\/\//,
  );
  expect([dataset.license, dataset.publisher]).toEqual(["CC0-1.0", expect.stringContaining("Palmer")]);
  await agent.close();
});

test("a private dataset is not in the data until its person has connected the agent", async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-private-"));
  const file = join(folder, "visits.csv");
  writeFileSync(file, "patient,day\n1,2026-01-05\n2,2026-01-05\n3,2026-01-06\n");
  const callback = await CallbackServer.start();
  const { page } = await BrowserPerson.signedIn(browser, "private-agent");
  const { workspaces } = await (await page.request.get("/api/account")).json();
  parquetry(
    "publish",
    file,
    "--dataset",
    "clinic-visits",
    "--table",
    "visits",
    "--title",
    "Clinic visits",
    "--publisher",
    "A clinic",
    "--license",
    "proprietary",
  );
  await setVisibility("clinic-visits", "private", "--workspace", workspaces[0].id);
  const question = {
    ask: "How many visits on 5 January?",
    steps: [{ about: "clinic visits", where: [["day", "is", "2026-01-05"]], figure: "how many" }],
    answer: [2],
  } as const;

  const stranger = await ScriptedAgent.connect(connector(), readerKey());
  expect((await stranger.answer(question))[0]).toBe("not in the data");
  const agent = new RealAgent(LIBRARIES[0], connector(), callback);
  await agent.connect();
  await agent.allow(page, await agent.expectSignIn(() => agent.call("list_connected_datasets")));
  const connected = await ScriptedAgent.connect(connector(), agent.keeper.saved?.access_token);
  expect((await connected.call("connect_dataset", { slug: "clinic-visits" })).structured).toMatchObject({
    connected: true,
  });
  expect(await connected.answer(question)).toEqual(question.answer);
  expect((await connected.call("list_connected_datasets", {})).structured.datasets[0]).toMatchObject({
    slug: "clinic-visits",
  });

  parquetry("dataset", "visibility", "clinic-visits", "withdrawn");
  for (const one of [agent, stranger, connected]) await one.close();
  await callback.stop();
  rmSync(folder, { recursive: true, force: true });
});
