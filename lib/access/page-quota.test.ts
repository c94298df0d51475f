import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { firstAnswer, readCounted } from "@/app/first-answer";
import { answerKey } from "@/components/explorer/answer/answer-state";
import { insideContext } from "@/lib/http/context";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { readView } from "@/lib/view/view-address";

useTestState({ LIMIT_ADDRESS_MINUTE: "2" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

const COLUMNS = [{ name: "id", type: "int64" }] as const;
let published: PublishReceipt;

beforeAll(async () => {
  published = await publishText("rows", "id\n1\n2\n", { publishedAt: new Date("2025-01-01") });
});

const from = (address: string) => ({ ...insideContext(), address });
const { view } = readView({}, COLUMNS);

test(
  "the first rows of a page take from the queries of the visitor's address; without any left the page, which " +
    "caches keep for all, leaves it to the browser to ask",
  async () => {
    const open = (address: string) => firstAnswer(readCounted(published.table_id), view, COLUMNS, 100, from(address));
    for (const _ of [1, 2]) expect(await open("192.0.2.1")).toMatchObject({ phase: "done" });
    expect(await open("192.0.2.1")).toEqual({ key: answerKey(view, COLUMNS), phase: "asking" });
    expect(await open("192.0.2.2")).toMatchObject({ phase: "done" });
    const gone = { ...view, version: "00000000-0000-4000-8000-000000000000" };
    expect(await firstAnswer(readCounted(published.table_id), gone, COLUMNS, 100, from("192.0.2.2"))).toMatchObject({
      phase: "failed",
      problem: { code: "not_found" },
    });
  },
);
