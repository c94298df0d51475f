import { CSV_MEDIA } from "@/lib/formats/csv-media";
import { valueAsText } from "@/lib/view/filter-values";
import type { ChartColumn, ChartRow } from "./chart-spec";
import { cutText, textWidth } from "./text-size";

/** The surroundings of a saved chart: what it shows, and where it comes from. */
export interface ChartCaption {
  title: string;
  /** Citation and version, one per line; long ones are broken. */
  source: readonly string[];
  /** Where it can be read, as a path of the site. */
  path: string;
  /** Without extension. */
  fileName: string;
}

const MARGIN = 24;
const TITLE = 16;
const SMALL = 11;
const LINE = 1.45;
const LEGEND = 12;
const SCALE = 2;
/** Properties set by the style sheet, which the file must contain itself. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "font-weight",
] as const;
const SVG = "http://www.w3.org/2000/svg";

/** Saves the chart in `figure` as an SVG file, or as a picture of twice its size. */
export async function saveChart(figure: Element, caption: ChartCaption, form: "svg" | "png"): Promise<void> {
  const picture = await chartPicture(figure, caption);
  const blob = form === "svg" ? new Blob([picture.text], { type: "image/svg+xml" }) : await drawnAsPng(picture);
  saveFile(blob, `${caption.fileName}.${form}`);
}

/** Saves the drawn values as CSV, with the title and sources in lines below them. */
export function saveValues(
  columns: readonly ChartColumn[],
  rows: readonly ChartRow[],
  figure: Element,
  { title, source, path, fileName }: ChartCaption,
): void {
  const parts = [".chart-heading > b", ".chart-extent"].map((part) => figure.querySelector(part)?.textContent ?? "");
  const notes = [...figure.querySelectorAll(".chart-note")].map((note) => note.textContent ?? "");
  const lines = [...parts, title, ...notes, ...source, new URL(path, window.location.origin).href];
  const text = chartCsv(columns, rows, lines);
  saveFile(new Blob([text], { type: CSV_MEDIA }), `${fileName}-chart.csv`);
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

interface Picture {
  text: string;
  width: number;
  height: number;
}

/** A self-contained SVG: colours resolved, the font embedded, title, legend, citation and version around the chart. */
async function chartPicture(figure: Element, { title, source, path }: ChartCaption): Promise<Picture> {
  const chart = figure.querySelector<SVGSVGElement>(".chart-reader > .chart-svg");
  if (!chart) throw new Error("no chart is drawn");
  const size = chart.viewBox.baseVal;
  const width = size.width + 2 * MARGIN;
  const ink = colourOf(figure, "--ink");
  const muted = colourOf(figure, "--muted");
  const parts: string[] = [];
  let top = MARGIN;
  const write = (lines: readonly string[], font: number, weight: number, fill: string) => {
    for (const line of lines) {
      top += font * LINE;
      parts.push(
        `<text x="${MARGIN}" y="${round(top - font * 0.35)}" font-size="${font}" font-weight="${weight}" ` +
          `fill="${fill}">${escapeXml(line)}</text>`,
      );
    }
  };
  const heading = figure.querySelector(".chart-heading > b")?.textContent;
  const extent = figure.querySelector(".chart-extent")?.textContent;
  if (heading) write(brokenLines(heading, TITLE, size.width), TITLE, 600, ink);
  if (extent) write(brokenLines(extent, LEGEND, size.width), LEGEND, 600, ink);
  write(brokenLines(title, LEGEND, size.width), LEGEND, 400, muted);
  top += 8;
  top = drawLegend(figure, top, size.width, ink, parts);
  parts.push(`<g transform="translate(${MARGIN} ${round(top + 4)})" font-size="12">${withLooks(chart).innerHTML}</g>`);
  top += size.height + 12;
  const notes = [...figure.querySelectorAll(".chart-note")].map((note) => note.textContent ?? "");
  write(
    [...notes, ...source, new URL(path, window.location.origin).href].flatMap((line) =>
      brokenLines(line, SMALL, size.width),
    ),
    SMALL,
    400,
    muted,
  );
  const height = Math.ceil(top + MARGIN);
  const text =
    `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="Inter, system-ui, sans-serif" ` +
    `role="img"><title>${escapeXml(title)}</title><desc>${escapeXml(source.join(" "))}</desc>` +
    `<style>${await fontFaces()}</style>` +
    `<rect width="${width}" height="${height}" fill="${colourOf(figure, "--paper")}"/>${parts.join("")}</svg>`;
  return { text, width, height };
}

/** The entries of the legends, each a sign with a label beside it, or a scale that contains its own text. */
function drawLegend(figure: Element, from: number, room: number, ink: string, parts: string[]): number {
  let [x, top, tall] = [0, from, 0];
  const entries = [...figure.querySelectorAll(".chart-legend > li")];
  for (const entry of entries) {
    const label = cutText(entry.querySelector(":scope > span")?.textContent ?? "", LEGEND, 220);
    const sign = entry.querySelector("svg");
    const { width = 0, height = 0 } = sign?.viewBox.baseVal ?? {};
    const wide = width + (label ? 6 + textWidth(label, LEGEND) : 0) + 16;
    if (x > 0 && x + wide > room) [x, top, tall] = [0, top + tall + LEGEND * 0.6, 0];
    tall = Math.max(tall, height, LEGEND);
    parts.push(
      `<g transform="translate(${round(MARGIN + x)} ${round(top)})" font-size="${SMALL}">` +
        `${sign ? withLooks(sign).innerHTML : ""}<text x="${width + 6}" y="10" font-size="${LEGEND}" ` +
        `fill="${ink}">${escapeXml(label)}</text></g>`,
    );
    x += wide;
  }
  return entries.length > 0 ? top + tall + LEGEND * 0.8 : top;
}

/** A copy with computed styles as attributes and without the elements that only pointers need. */
function withLooks(drawn: SVGSVGElement): SVGSVGElement {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const originals = [...drawn.querySelectorAll("*")];
  for (const [at, element] of [...copy.querySelectorAll("*")].entries()) {
    const original = originals[at];
    if (!original) continue;
    const looks = getComputedStyle(original);
    for (const look of LOOKS)
      if (looks.getPropertyValue(look)) element.setAttribute(look, looks.getPropertyValue(look));
    element.removeAttribute("class");
  }
  return copy;
}

/** A colour of the visible theme: the variable itself contains both. */
function colourOf(figure: Element, variable: string): string {
  const probe = document.createElementNS(SVG, "svg");
  probe.style.color = `var(${variable})`;
  figure.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Lines broken between words; a word that is too long for a line, such as an address, is broken within. */
function brokenLines(text: string, font: number, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((long) => piecesOf(long, font, room))) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, font) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function piecesOf(word: string, font: number, room: number): string[] {
  const signs = Array.from(word);
  const most = Math.max(1, Math.floor((signs.length * room) / textWidth(word, font)));
  if (signs.length <= most) return [word];
  return Array.from({ length: Math.ceil(signs.length / most) }, (_, at) =>
    signs.slice(at * most, (at + 1) * most).join(""),
  );
}

const FONTS = [
  { weight: 400, url: new URL("@fontsource/inter/files/inter-latin-400-normal.woff2", import.meta.url) },
  { weight: 600, url: new URL("@fontsource/inter/files/inter-latin-600-normal.woff2", import.meta.url) },
];

async function fontFaces(): Promise<string> {
  const faces = FONTS.map(async ({ weight, url }) => {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return (
      `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/woff2;base64,${base64}) ` +
      `format("woff2")}`
    );
  });
  return (await Promise.all(faces)).join("");
}

/** As a data: URL, which the page's security policy allows for pictures. */
async function drawnAsPng({ text, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const brush = canvas.getContext("2d");
  brush?.scale(SCALE, SCALE);
  brush?.drawImage(image, 0, 0, width, height);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"),
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeXml = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, " ").replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Histograms name their bins by both edges. */
const BIN_COLUMNS = ["from", "to", "rows", "outside"] as const;

/**
 * What a chart draws as CSV with all digits. After an empty line, each line about it is one quoted cell, so that
 * spreadsheets show the values as a table with its sources below.
 */
function chartCsv(columns: readonly ChartColumn[], rows: readonly ChartRow[], about: readonly string[]): string {
  const isBins = rows.some((row) => "from" in row && "rows" in row);
  const names = isBins ? [...BIN_COLUMNS] : columns.map(({ name }) => name);
  const lines = [names.map(cell), ...rows.map((row) => names.map((name) => cell(textOf(row[name]))))];
  const notes = about.filter((text) => text !== "").map((text) => quoted(safe(text)));
  return `${[...lines.map((cells) => cells.join(",")), "", ...notes].join("\r\n")}\r\n`;
}

const textOf = (value: unknown): string => (value === null || value === undefined ? "" : valueAsText(value));

const cell = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A title may come from another person, and spreadsheets execute text that starts like a formula. */
const safe = (text: string): string => (/^[=@+-]/.test(text) ? `'${text}` : text);
