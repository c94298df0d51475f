import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeEach, expect } from "vitest";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { useBuilder } from "./builder";
import { useTestState } from "./database";
import { startInspectedSources } from "./inspected-sources";

const REPLY_TOKENS_MAX = 10_000;

interface Called {
  reply: InspectionReply;
  text: string;
  isError: boolean;
}

/**
 * Gives the test file sources to inspect and a client that inspects them through the connector; the size of each reply
 * is suitable for an agent. `sources.asked` is empty at the start of each test. Call at its top.
 */
export async function useInspector(settings: Record<string, string> = {}) {
  const sources = await startInspectedSources();
  useTestState({ SOURCE_PRIVATE_HOSTS: sources.host, ...settings });
  const builder = useBuilder(sources);
  beforeEach(() => {
    sources.asked.length = 0;
  });

  async function call(name: string, args: Record<string, unknown>): Promise<Called> {
    const { structuredContent, content, isError } = await builder().client.callTool({ name, arguments: args });
    const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
    expect(encode(text + JSON.stringify(structuredContent)).length).toBeLessThan(REPLY_TOKENS_MAX);
    return { reply: structuredContent as InspectionReply, text, isError: isError === true };
  }
  async function inspect(path: string, more: Record<string, unknown> = {}): Promise<Called> {
    const source = { url: `${sources.origin}${path}` };
    let called = await call("start_source_inspection", { source, wait_ms: 20_000, ...more });
    while (called.reply?.state === "running" && more.wait_ms === undefined)
      called = await call("get_source_inspection", { inspection_id: called.reply.inspection_id, wait_ms: 20_000 });
    return called;
  }
  return { sources, builder, call, inspect };
}
