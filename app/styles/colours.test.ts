import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RAMP } from "@/components/chart/colour-scale";

type Rgb = readonly [number, number, number];
type Triples = readonly [Rgb, Rgb, Rgb];

const THEMES = ["light", "dark"] as const;
const GROUNDS = ["paper", "surface", "raised"] as const;
const TONES = ["ok", "info", "notice", "warning", "danger"] as const;
const SERIES = ["1", "2", "3", "4", "5", "6", "7", "8"].map((at) => `chart-${at}`);

/** Text on each background it is used on: WCAG 1.4.3 requires 4.5. */
const TEXTS: readonly (readonly [text: string, ground: string])[] = [
  ...GROUNDS.flatMap((ground) =>
    ["ink", "muted", "faint", "accent", "accent-strong", ...TONES].map((text) => [text, ground] as const),
  ),
  ...TONES.flatMap((tone) => [tone, "ink", "muted"].map((text) => [text, `${tone}-soft`] as const)),
  ...["accent", "accent-strong", "ink", "muted"].map((text) => [text, "accent-soft"] as const),
  ...["keyword", "string", "number", "function", "comment"].flatMap((kind) =>
    GROUNDS.map((ground) => [`code-${kind}`, ground] as const),
  ),
  ["ink", "mark"],
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["on-danger", "danger"],
  ["on-danger", "danger-strong"],
];

/** Lines, bars and the edges of fields: WCAG 1.4.11 requires 3. */
const SHAPES: readonly (readonly [shape: string, ground: string])[] = [
  ...SERIES.flatMap((series) => GROUNDS.map((ground) => [series, ground] as const)),
  ...["bar", "bar-null", "line-field"].flatMap((shape) =>
    ["paper", "raised"].map((ground) => [shape, ground] as const),
  ),
];

/**
 * The palette must stay apart for readers with each kind of colour vision (Machado, Oliveira and Fernandes 2009, full
 * severity), in OKLab.
 */
const APART = 0.09;
const VISIONS: Readonly<Record<string, Triples>> = {
  trichromacy: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const COLOURS = new Map(
  ["colours.css", "chart-colours.css"]
    .flatMap((name) => [
      ...readFileSync(join(import.meta.dirname, name), "utf8").matchAll(
        /--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g,
      ),
    ])
    .map(([, name = "", light = "", dark = ""]) => [name, { light: linear(light), dark: linear(dark) }]),
);

for (const theme of THEMES) {
  test(`${theme}: text has a contrast of at least 4.5:1 on its background`, () =>
    expect(weakOf(TEXTS, theme, 4.5)).toEqual([]));
  test(`${theme}: lines, bars and edges of fields have a contrast of at least 3:1`, () =>
    expect(weakOf(SHAPES, theme, 3)).toEqual([]));
  test.each(Object.entries(VISIONS))(`${theme}: any two series of a chart look different with %s`, (_name, vision) => {
    const seen = SERIES.map((name) => oklab(times(vision, colour(name, theme))));
    const near = seen.flatMap((one, at) =>
      seen.slice(0, at).map((other, index) => ({ pair: `${index + 1} and ${at + 1}`, apart: distance(one, other) })),
    );
    expect(near.filter(({ apart }) => apart < APART)).toEqual([]);
  });
}

test("points are opaque, so their colours keep that contrast", () => {
  const css = readFileSync(join(import.meta.dirname, "charts.css"), "utf8");
  expect(css).toMatch(/\.chart-point \{[^}]*fill: currentColor;/);
  expect(css).not.toMatch(/\.chart-point \{[^}]*opacity/);
});

for (const theme of THEMES)
  test(`${theme}: a continuous scale has a contrast of 3:1 everywhere, and stands out more with each value`, () => {
    const steps = RAMP[theme].map(linear);
    for (const ground of GROUNDS)
      for (const step of steps) expect(contrast(step, colour(ground, theme))).toBeGreaterThanOrEqual(3);
    const ratios = steps.map((step) => contrast(step, colour("paper", theme)));
    expect(ratios).toEqual([...ratios].sort((a, b) => a - b));
  });

function weakOf(pairs: readonly (readonly [string, string])[], theme: "light" | "dark", least: number): string[] {
  const ratios = pairs.map(([front, ground]) => ({
    front,
    ground,
    ratio: contrast(colour(front, theme), colour(ground, theme)),
  }));
  return ratios
    .filter(({ ratio }) => ratio < least)
    .map(({ front, ground, ratio }) => `${front} on ${ground}: ${ratio.toFixed(2)}`);
}

function colour(name: string, theme: "light" | "dark"): Rgb {
  const found = COLOURS.get(name)?.[theme];
  if (!found) throw new Error(`no colour --${name}`);
  return found;
}

function linear(hex: string): Rgb {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as unknown as Rgb;
}

const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (rows: Triples, by: Rgb): Rgb => [dot(rows[0], by), dot(rows[1], by), dot(rows[2], by)];
const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [a, b].map((one) => dot([0.2126, 0.7152, 0.0722], one) + 0.05).sort((x, y) => x - y);
  return light / dark;
}

const TO_CONES: Triples = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Triples = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

const oklab = (rgb: Rgb): Rgb =>
  times(TO_LAB, times(TO_CONES, rgb).map((cone) => Math.cbrt(Math.max(0, cone))) as unknown as Rgb);
