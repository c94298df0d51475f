import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { useOffice } from "@/lib/testing/office";
import { TOOLBOX } from "./tools";

const rig = await useOffice();
const REPLY_TOKENS_MAX = 10_000;

interface Reply {
  structuredContent?: unknown;
  content?: unknown;
  isError?: unknown;
}
type CallTool = (asked: { name: string; arguments: Record<string, unknown> }) => Promise<Reply>;

/** The client libraries of this year's and last year's, each speaking for the same connection. */
const CLIENTS: readonly [name: string, connect: () => Promise<CallTool>][] = [
  ["the client of version 2", async () => (asked) => rig.builder.client.callTool(asked) as Promise<Reply>],
  [
    "the client of version 1",
    async () => {
      const { service, access } = rig.builder;
      const client = new OldClient({ name: "old", version: "1" });
      const requestInit = { headers: { authorization: `Bearer ${access}` } };
      await client.connect(new OldTransport(new URL(`${service}/api/mcp`), { requestInit }) as never);
      return (asked) => client.callTool(asked) as Promise<Reply>;
    },
  ],
];

const any = expect.any(String);
const some = (value: object) => expect.arrayContaining([expect.objectContaining(value)]);

test.each(CLIENTS)(
  "%s calls every building tool, each with checked values and a bounded reply",
  async (_name, connect) => {
    const callTool = await connect();
    const called = new Set<string>();
    // biome-ignore lint/suspicious/noExplicitAny: replies have many shapes, and each is checked where it is taken
    const call = async (name: string, args: Record<string, unknown>, expected: object): Promise<any> => {
      const reply = await callTool({ name, arguments: args });
      called.add(name);
      expect([name, reply.isError ?? false, reply.structuredContent ?? reply.content]).toEqual([
        ...[name, false],
        expect.objectContaining(expected),
      ]);
      expect([name, encode(JSON.stringify(reply)).length < REPLY_TOKENS_MAX]).toEqual([name, true]);
      return reply.structuredContent;
    };
    rig.office.file = "gauge;level\nA;1\nB;2\n";
    const named = { title: "Every tool", slug: `every-tool-${crypto.randomUUID()}` };
    const { dataset } = await call("create_dataset", named, { dataset: expect.objectContaining(named) });
    const slug: string = dataset.slug;
    const of = { dataset: slug };
    for (const part of ["guide", "sources", "readers", "tables", "steps", "formats", "functions", "checks"])
      await call("get_recipe_reference", { part }, { part, text: any });
    await call("list_source_credentials", {}, { credentials: [] });
    const options = { format: "csv", options: { sep: ";" } };
    const reader = { format: "csv", options: { delimiter: ";" } };
    await call("normalize_reader_options", options, { reader: expect.objectContaining(reader) });
    const inspected = { source: { url: rig.office.url }, wait_ms: 20_000 };
    const { inspection_id } = await call("start_source_inspection", inspected, { inspection_id: any, state: "done" });
    await call("get_source_inspection", { inspection_id }, { inspection_id, state: "done" });
    const registered = { ...of, recipe: rig.recipe() };
    await call("register_recipe", registered, { revision: expect.objectContaining({ number: 1, state: "draft" }) });
    const patch = [{ op: "add", path: "/tables/0/note", value: "Two gauges." }];
    const proposal = { ...of, base: 1, patch, note: "a note" };
    await call("propose_revision", proposal, { revision: expect.objectContaining({ number: 2 }), needs_person: false });
    const { run_id } = await call("start_run", of, { state: "planned", estimate: expect.any(Object) });
    const { sample } = await call("confirm_run", { run_id, wait_ms: 20_000 }, { state: "awaiting_approval" });
    const queried = { run_id, table: "levels", columns: ["gauge", "level"] };
    await call("query_run", queried, {
      rows: [
        ["A", 1],
        ["B", 2],
      ],
    });
    const { artifacts } = await call(
      "run_artifacts",
      { run_id },
      { artifacts: some({ name: "checks.json", text: true }) },
    );
    const checks = artifacts.find(({ name }: { name: string }) => name === "checks.json");
    await call("get_artifact_download", { artifact_id: checks.artifact_id }, { name: "checks.json", content: any });
    const approval = { run_id, recipe_digest: sample.recipe_digest, wait_ms: 20_000 };
    await call("approve_full_run", approval, { state: "sealed", outcome: "released" });
    await call("get_run", { run_id }, { state: "sealed", differences: [expect.objectContaining({ table: "levels" })] });
    await call("run_events", { run_id, kinds: ["sealed"] }, { events: [expect.objectContaining({ kind: "sealed" })] });
    await call("list_runs", of, { runs: [expect.objectContaining({ run_id })] });
    await call("promote_table", of, { receipts: [expect.objectContaining({ table: "levels", current: true })] });
    const replay = await call("replay_run", { run_id }, { kind: "replay", reproduces: some({ table: "levels" }) });
    await call("cancel_run", { run_id: replay.run_id }, { run_id: replay.run_id });
    await call("write_note", { ...of, text: "Read it twice." }, { note_id: any });
    await call("list_my_datasets", { q: "every tool" }, { datasets: some({ slug }) });
    await call("get_my_dataset", of, { tables: [expect.objectContaining({ slug: "levels" })] });
    await call("get_table", { ...of, table: "levels" }, { releases: some({ current: true, rows: 2 }) });
    const diagnosed = {
      findings: some({ code: "no_schedule" }),
      verdict: expect.objectContaining({ state: "learning" }),
    };
    await call("diagnose_table", { ...of, table: "levels" }, diagnosed);
    await call("update_dataset", { ...of, summary: "All of them." }, { changed: ["summary"] });
    const building = TOOLBOX.all.filter(({ access }) => access === "connector_build").map(({ name }) => name);
    expect(building.filter((name) => !called.has(name))).toEqual([]);
  },
);
