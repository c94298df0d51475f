import { expect, test } from "vitest";
import { JsonFrame } from "./json-frame";

async function frameOf(text: string, chunk: number): Promise<string | undefined> {
  const frame = new JsonFrame();
  async function* texts() {
    for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk);
  }
  for await (const _ of frame.watch(texts()));
  return frame.text();
}

const RECORDS = Array.from({ length: 500 }, (_, id) => ({ id, tags: ["a]", '["'], note: 'says "[": \\' }));

test.each([1, 7, 4096, 1 << 20])("keeps what surrounds the records, in chunks of %i characters", async (chunk) => {
  const beside = { total: 2345, note: 'a ] and a \\"[', links: ["x", "y"] };
  const text = JSON.stringify({ ...beside, data: RECORDS, meta: { page: 1 } });
  expect(JSON.parse((await frameOf(text, chunk)) ?? "")).toEqual({ ...beside, data: [], meta: { page: 1 } });
});

test("a list of a page and its records keeps the page", async () => {
  const text = JSON.stringify([{ page: 1, total: 304 }, RECORDS]);
  expect(JSON.parse((await frameOf(text, 100)) ?? "")).toEqual([{ page: 1, total: 304 }, []]);
});

test("a list at the root has nothing beside it", async () => {
  expect(await frameOf(JSON.stringify(RECORDS), 100)).toBe("[]");
});

test("nothing is known of a document that is too long, or not read to its end", async () => {
  const long = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`member number ${at}`, at]));
  expect(await frameOf(JSON.stringify(long), 1000)).toBeUndefined();
  const frame = new JsonFrame();
  async function* texts() {
    yield '{"total":';
    yield "1}";
  }
  for await (const _ of frame.watch(texts())) break;
  expect(frame.text()).toBeUndefined();
});
