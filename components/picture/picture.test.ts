import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { drawPicture } from "@/app/draw-picture";
import type { Dataset } from "@/lib/schemas/dataset";
import { cardDrawing } from "./card-drawing";
import { datasetPicture } from "./dataset-picture";
import { cutText, drawableText } from "./drawable-text";
import { DARK, PALETTE } from "./palette";
import { profileBars } from "./profile-bars";

const dataset = (over: object = {}) =>
  ({
    title: "Strikes",
    slug: "strikes",
    summary: "Birds and aircraft.",
    publisher: { name: "FAA", slug: "faa", url: null },
    license: "CC0-1.0",
    tables: [{ rows: 3, columns: [] }],
    ...over,
  }) as unknown as Dataset;

/** Width and height from a PNG's header. */
const sizeOf = (png: Uint8Array) => [
  Buffer.from(png).toString("latin1", 1, 4),
  Buffer.from(png).readUInt32BE(16),
  Buffer.from(png).readUInt32BE(20),
];

/** Cuts off the network and returns the requested URLs. */
function offline(): string[] {
  const asked: string[] = [];
  const fetchData = fetch;
  vi.stubGlobal("fetch", (address: string) => {
    if (String(address).startsWith("data:")) return fetchData(address); // a module's own bytes
    asked.push(String(address));
    return Promise.reject(new Error("no network"));
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

test("the palettes are the themes'", () => {
  const css = readFileSync("app/styles/colours.css", "utf8");
  for (const [name, colour] of Object.entries(PALETTE)) expect(css).toContain(`--${name}: light-dark(${colour},`);
  for (const [name, colour] of Object.entries(DARK))
    expect(css).toMatch(new RegExp(`--${name}: light-dark\\(#\\w{6}, ${colour}\\)`));
});

test("every drawable character has a glyph, so nothing is fetched from the network", async () => {
  const asked = offline();
  const all = Array.from({ length: 0x2300 }, (_, code) => String.fromCodePoint(code)).filter(
    (sign) => drawableText(`${sign}a`, "") === `${sign}a`,
  );
  expect(all.length).toBeGreaterThan(500);
  for (let at = 0; at < all.length; at += 150)
    await drawPicture({ title: all.slice(at, at + 150).join(""), summary: "", facts: [] });
  expect(asked).toEqual([]);
});

test.each([
  ["航班數據", "航班數據"],
  ["an emoji", "Birds 🐦 and planes ✈️"],
  ["right to left", "مطارات"],
  ["combining marks and controls", "Z͑ͫ̓ͪ̂ͫ̽a\u0000\u202e"],
  ["nothing", ""],
  ["one very long word", "x".repeat(400)],
  ["markup", "<b>&amp;{}</b>"],
])("a title of %s still gives a picture of the right size", async (_name, title) => {
  offline();
  const png = await drawPicture(datasetPicture(dataset({ title, publisher: { name: title, slug: "p", url: null } })));
  expect(sizeOf(png)).toEqual(["PNG", 1200, 630]);
});

test("letters that cannot be drawn are replaced by the slug, other characters are omitted", () => {
  expect(drawableText("航班", "flights")).toBe("flights");
  expect(drawableText("Élan Łódź Ωmega Дом Việt", "")).toBe("Élan Łódź Ωmega Дом Việt");
  expect(drawableText("Birds 🐦 fly", "")).toBe("Birds fly");
});

test("long strings are cut between words", () => {
  expect(cutText("one two three", 9)).toBe("one two…");
  expect(cutText("short", 9)).toBe("short");
});

test("the same picture is drawn once, another one differs", async () => {
  const first = await drawPicture(datasetPicture(dataset()));
  expect(await drawPicture(datasetPicture(dataset()))).toBe(first);
  expect(Buffer.from(await drawPicture(datasetPicture(dataset({ title: "Other" })))).equals(first)).toBe(false);
});

test("the picture shows what the dataset's first chart is about, of the first table that has one", () => {
  const column = (name: string, type: string, profile: object) => ({
    ...{ name, type, unit: null },
    profile: { null_count: 0, ...profile },
  });
  const address = column("url", "string", { distinct_count: { value: 100, exact: true } });
  const kinds = column("kind", "string", {
    distinct_count: { value: 3, exact: true },
    top_values: [60, 30, 10].map((count, at) => ({ value: `k${at}`, count })),
  });
  const tables = [
    { rows: 100, columns: [address] },
    { rows: 100, columns: [address, kinds] },
  ];
  expect(profileBars({ tables } as unknown as Dataset)).toEqual({ label: "kind", heights: [1, 0.5, 1 / 6] });
  expect(profileBars({ tables: [] })).toBeUndefined();
});

test("a card's drawing has the same bars, its column's name as text, and nothing where there is no shape", () => {
  const svg = cardDrawing({ label: "a <b> & c", heights: [0.5, 0, 1] });
  expect(svg.match(/M[\d.]+ 36v-?[\d.]+/g)).toEqual(["M0 36v-18", "M122.67 36v-36"]);
  expect(svg).toContain(">a &lt;b&gt; &amp; c</text>");
  expect(cardDrawing(undefined)).toMatch(/^<svg [^>]+\/>$/);
});
