import { describe, expect, test } from "vitest";
import { useSandbox } from "@/lib/testing/sandbox-runs";
import { compareStated, comparingOf } from "./stated-records";

const { run, failureOf } = useSandbox();

const records = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ id: from + at }));
const page = (document: object) => Buffer.from(JSON.stringify(document));
const given = (...raw: Buffer[]) => ({ format: "json", options: { records: "/data" }, raw });

describe("a source without pages", () => {
  test("that states more records than it has fails, in a sample too, and says what to do", async () => {
    const partial = given(page({ total: 2345, limit: 100, offset: 0, data: records(100) }));
    for (const mode of ["full", "sample"] as const) {
      const failure = await failureOf({ ...partial, mode });
      expect(failure).toMatchObject({ code: "pages_incomplete", at: { source: "office" } });
      expect(failure.message).toContain('There are 100 records, but the source states 2,345 records at "/total".');
      expect(failure.message).toContain("stated_total");
    }
  });

  test("is read if its author says that the member is no total", async () => {
    const partial = given(page({ total: 2345, limit: 100, data: records(100) }));
    const { outcome } = await run({ ...partial, source: { stated_total: "ignore" } });
    expect(outcome.sources[0]?.rows).toBe(100);
  });

  test("that has all records is read, and so is a longer one of which a sample reads a part", async () => {
    const whole = given(page({ data: records(40), meta: { total: 40, total_pages: 1, page: 1 } }));
    expect((await run(whole)).outcome.sources[0]?.rows).toBe(40);
    const { outcome } = await run({ ...whole, mode: "sample", limits: { rows: 10 } });
    expect(outcome.sources[0]?.rows).toBe(10);
  });

  test("a member that may be a sum is a remark", async () => {
    const { outcome } = await run(given(page({ total: 500, data: records(2) })));
    expect(outcome.sources[0]?.remarks).toEqual([
      'There are 2 records, but the source states 500 records at "/total". Check whether rows are missing.',
    ]);
  });

  test("whose parts are the pages of one query has the records of all", async () => {
    const parts = [0, 20, 40].map((from) => page({ total: 45, limit: 20, data: records(from < 40 ? 20 : 5, from) }));
    expect((await run(given(...parts))).outcome.sources[0]?.rows).toBe(45);
    expect(await failureOf(given(...parts.slice(1)))).toMatchObject({ code: "pages_incomplete" });
  });
});

describe("parts", () => {
  const urls = { kind: "http", urls: ["https://x.example.org/1", "https://x.example.org/2"] };
  const next = { records: 0, hasMore: true, isAtLeast: true, at: "/next" } as const;

  test("may say that there is a next page, if they are listed pages and the last does not", () => {
    const comparing = comparingOf(urls) ?? { isPage: false, isOneQuery: false };
    const both = [
      { rows: 5, stated: next },
      { rows: 5, stated: undefined },
    ];
    expect(compareStated(both, comparing)).toEqual([]);
    expect(() => compareStated(both.toReversed(), comparing)).toThrow(/a next page at "\/next"/);
    expect(() => compareStated(both, { ...comparing, isOneQuery: false })).toThrow(/Part 1/);
  });

  test("that are pages of a query are compared where they are read", () => {
    expect(comparingOf({ kind: "http", url: "https://x.example.org/", pages: {} })).toBeUndefined();
  });
});
