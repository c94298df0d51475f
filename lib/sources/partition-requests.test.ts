import { parse } from "lossless-json";
import { describe, expect, test } from "vitest";
import { readSource } from "@/lib/builds/document/source-shape";
import type { HttpSource } from "@/lib/schemas/recipe-source";
import { dayAfter, dayIn, isOfDays } from "./calendar";
import { partitionRequests } from "./partition-requests";

const NOW = new Date("2026-11-21T23:30:00Z");

function asked(more: object, zone = "UTC"): string[] {
  const document = { name: "s", kind: "http", reader: { format: "csv" }, ...more };
  const { value } = readSource(parse(JSON.stringify(document)), "");
  return partitionRequests(value as HttpSource, NOW, zone).map(({ partition, url, body }) =>
    [partition, url, ...(body === undefined ? [] : [JSON.stringify(body)])].join(" "),
  );
}

test("one address, several, and the recipe's query", () => {
  expect(asked({ url: "https://a.example/x?a=1", query: { b: "2 3" } })).toEqual([" https://a.example/x?a=1&b=2+3"]);
  expect(asked({ urls: ["https://a.example/1", "https://a.example/2"] })).toEqual([
    "1 https://a.example/1",
    "2 https://a.example/2",
  ]);
});

test("now is the day in the recipe's time zone, minus the lag", () => {
  const template = (lag?: string) => ({
    template: { url: "https://a.example/{date:%Y%m%d}.csv", partition: { by: "day", from: "2026-11-20", lag } },
  });
  expect(asked(template()).at(-1)).toBe("2026-11-21 https://a.example/20261121.csv");
  expect(asked(template(), "Europe/Berlin").at(-1)).toBe("2026-11-22 https://a.example/20261122.csv");
  expect(asked(template("P1D"), "Europe/Berlin").at(-1)).toBe("2026-11-21 https://a.example/20261121.csv");
  expect(asked(template("PT24H")).at(-1)).toBe("2026-11-20 https://a.example/20261120.csv");
});

describe("slices of a query", () => {
  const slices = { from: "2026-10-31", every: "P1M", send: { from: { query: "from" }, to: { query: "to" } } };
  test("end the day before the next one begins, and begin by the calendar", () => {
    expect(asked({ url: "https://a.example/q", slices })).toEqual([
      "2026-10-31 https://a.example/q?from=2026-10-31&to=2026-11-21",
    ]);
    const daily = { ...slices, from: "2026-01-31", to: "2026-03-05" };
    expect(asked({ url: "https://a.example/q", slices: daily }).map((text) => text.split("?")[1])).toEqual([
      "from=2026-01-31&to=2026-02-27",
      "from=2026-02-28&to=2026-03-05",
    ]);
  });
  test("of the first century are not those of the twentieth", () => {
    const early = { ...slices, from: "0050-01-31", to: "0050-02-28" };
    expect(asked({ url: "https://a.example/q", slices: early }).map((text) => text.split("?")[1])).toEqual([
      "from=0050-01-31&to=0050-02-27",
      "from=0050-02-28&to=0050-02-28",
    ]);
  });
  test("end at the next where the end is not included, in a body and a format of their own", () => {
    const send = { from: { body: "/range/from" }, to: { body: "/range/to" }, format: "%d.%m.%Y", to_inclusive: false };
    const week = { from: "2026-11-01", to: "2026-11-08", every: "P1W", send };
    expect(
      asked({ url: "https://a.example/q", method: "POST", body: { range: { unit: "day" } }, slices: week }),
    ).toEqual([
      '2026-11-01 https://a.example/q {"range":{"unit":"day","from":"01.11.2026","to":"08.11.2026"}}',
      '2026-11-08 https://a.example/q {"range":{"unit":"day","from":"08.11.2026","to":"09.11.2026"}}',
    ]);
  });
});

test("none, and more than 500, are rejected with a code", () => {
  const days = (from: string) => ({ template: { url: "https://a.example/{year}", partition: { by: "day", from } } });
  expect(() => asked(days("2020"))).toThrow("more than 500 partitions");
  expect(() => asked(days("2027"))).toThrow("no partition yet");
});

test("ends of months remain in their month, and durations of slices are whole days", () => {
  expect(["P1M", "P1Y", "P2W"].map((span) => dayAfter("2024-01-31", span, 1))).toEqual([
    "2024-02-29",
    "2025-01-31",
    "2024-02-14",
  ]);
  expect(dayIn("Australia/Lord_Howe", new Date("2026-01-01T13:00:00Z"))).toBe("2026-01-02");
  expect(["P1D", "P0D", "PT1H", "P1DT1H", "P1M"].map(isOfDays)).toEqual([true, false, false, false, true]);
});
