import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "@playwright/test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { QUESTIONS, type Question } from "./agent-questions";
import { readerKey } from "./service";
import { test } from "./test";

interface Result {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each step says what it takes from a reply.
  structured: any;
}

/** A client that knows the tools' names and counts what it sends and reads. */
class ScriptedAgent {
  readonly spent: { tool: string; tokens: number }[] = [];

  private constructor(private readonly client: Client) {}

  static async connect(): Promise<ScriptedAgent> {
    const client = new Client({ name: "scripted-agent", version: "1" });
    const headers = { authorization: `Bearer ${readerKey()}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${test.info().project.use.baseURL}/api/mcp`), { requestInit: { headers } }));
    return new ScriptedAgent(client);
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Result> {
    const result = await this.client.callTool({ name: tool, arguments: args });
    const text = (result.content as { text: string }[])[0]?.text ?? "";
    expect([tool, result.isError ?? false, text]).toEqual([tool, false, text]);
    this.spent.push({ tool, tokens: encode(JSON.stringify(args)).length + encode(text).length }); // what a model reads: clients show it the text
    return { text, structured: result.structuredContent };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Finds the dataset by words, its table, and the columns; then asks once. Returns the first row's values and the reply's text. */
async function answer(question: Question, agent: ScriptedAgent): Promise<{ values: unknown[]; text: string }> {
  const found = await agent.call("search", { query: question.search });
  const tables = await agent.call("list_tables", { slug: found.structured.results[0].id });
  const { tableId } = tables.structured.tables[0];
  const schema = await agent.call("get_table_schema", { table_id: tableId });
  const names = schema.structured.columns.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining((question.filters ?? []).map(([column]) => column)));
  const { text, structured } = await agent.call("query_table", { table_id: tableId, ...queryOf(question) });
  return { values: Object.values(structured.rows[0]), text };
}

function queryOf({ columns = [], filters = [], compute, groupBy, descending, ascending }: Question) {
  const order = descending ?? ascending;
  return {
    columns,
    limit: 1,
    ...(filters.length > 0 && { filters: filters.map(([column, operator, value]) => ({ column, operator, ...(value !== undefined && { value }) })) }),
    ...(groupBy !== undefined && { group_by: [groupBy] }),
    ...(compute && { aggregates: [{ function: compute[0], ...(compute[1] && { column: compute[1] }), as: "value" }] }),
    ...(order !== undefined && { order_by: [{ column: order, direction: descending ? "desc" : "asc" }] }),
  };
}

test(`an agent answers ${QUESTIONS.length} questions through the tools alone, each rightly, cited and within 6,000 tokens`, async () => {
  const spent: { ask: string; calls: number; tokens: number }[] = [];
  const byTool = new Map<string, number[]>();
  for (const question of QUESTIONS) {
    const agent = await ScriptedAgent.connect();
    const { values, text } = await answer(question, agent);
    expect.soft([question.ask, values]).toEqual([question.ask, question.answer]);
    expect.soft(text).toMatch(/^(?:PARTIAL|COMPLETE): [\s\S]*\nCite: .*version [0-9a-f-]{36}, sha256:[0-9a-f]{64}, queried /);
    const tokens = agent.spent.reduce((sum, call) => sum + call.tokens, 0);
    expect.soft([question.ask, tokens < 6000 || tokens]).toEqual([question.ask, true]);
    spent.push({ ask: question.ask, calls: agent.spent.length, tokens });
    for (const call of agent.spent) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call.tokens]);
    await agent.close();
  }
  const tools = [...byTool].map(([tool, all]) => ({ tool, mean: Math.round(all.reduce((a, b) => a + b, 0) / all.length), most: Math.max(...all) }));
  await test.info().attach("calls-and-tokens.json", { contentType: "application/json", body: JSON.stringify({ tools, spent }, null, 2) });
});
