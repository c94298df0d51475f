import type { ZipDirectory, ZipMember } from "@/lib/readers/containers/zip-directory";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { linearPattern } from "@/lib/readers/patterns";
import type { XlsxOptions } from "@/lib/schemas/recipe-reader";
import { type Shown, shownByBuiltIn, shownByCode } from "./sheet-dates";
import { isOpenDocument } from "./workbook-kind";
import { readXml } from "./xml";

export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Its member in the zip. */
  part: string;
}

export interface Workbook {
  sheets: Sheet[];
  is1904: boolean;
  /** Indexed by a cell's style. */
  styles: Shown[];
  strings: string[];
}

const SHOWN_MAX = 50;
/** Excel allows 32,767 characters. */
export const TEXT_CHARACTERS_MAX = 16 * 1024 * 1024;
const STRINGS_CHARACTERS_MAX = 256 * 1024 * 1024;
/** What an entry of the list takes besides its characters. */
const STRING_OVERHEAD = 16;
const PART_BYTES_MAX = 64 * 1024 * 1024;

/** Reads everything in a workbook except its sheets. */
export async function readWorkbook(zip: ZipDirectory): Promise<Workbook> {
  refuseOthers(zip);
  const root = await relations(zip, "_rels/.rels", "");
  const main = [...root.values()].find(({ kind }) => kind === "officeDocument")?.target ?? "xl/workbook.xml";
  const member = memberOf(zip, main);
  if (!member)
    throw mismatch("The file is a zip, but not an xlsx workbook. Save it as xlsx, or read it with `archive`.");
  if (main.endsWith(".bin")) throw mismatch("The file is a binary workbook (xlsb). Save it as xlsx or csv.");
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const related = await relations(zip, `${folder}_rels/${main.slice(folder.length)}.rels`, folder);
  const { sheets, is1904 } = await readSheets(zip, member, related);
  const partOf = (kind: string) => [...related.values()].find((relation) => relation.kind === kind)?.target;
  return {
    sheets,
    is1904,
    styles: await readStyles(zip, memberOf(zip, partOf("styles") ?? `${folder}styles.xml`)),
    strings: await readStrings(zip, memberOf(zip, partOf("sharedStrings") ?? `${folder}sharedStrings.xml`)),
  };
}

function refuseOthers({ members }: ZipDirectory): void {
  const names = members.map(({ name }) => name.toLowerCase());
  if (isOpenDocument(names)) throw mismatch("The file is an OpenDocument file (ods). Save it as xlsx or csv.");
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw mismatch(`The workbook has two parts ${JSON.stringify(twice.slice(0, 100))}. Save it again.`);
}

/** A part that is held in memory. */
function bufferedPart(zip: ZipDirectory, member: ZipMember): AsyncIterable<Buffer> {
  if (member.bytes <= PART_BYTES_MAX) return zip.read(member);
  throw new ReadFailure("archive_unsafe", `The workbook's ${member.name.slice(0, 100)} is larger than 64 MiB.`);
}

/** The sheet that the options choose, or by default the only visible one. */
export function chooseSheet(sheets: readonly Sheet[], wanted: XlsxOptions["sheet"]): Sheet {
  const visible = sheets.filter((sheet) => !sheet.isHidden);
  const shown = sheets.slice(0, SHOWN_MAX).map(({ name }) => JSON.stringify(name.slice(0, 100)));
  const names = `${shown.join(", ")}${sheets.length > SHOWN_MAX ? " …" : ""}`;
  const found = matching(sheets, visible, wanted);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (wanted === undefined && visible.length !== 1)
    throw mismatch(`The workbook has ${visible.length} visible sheets. Name one in \`sheet\`: ${names}.`);
  throw mismatch(`${found.length === 0 ? "No sheet" : "More than one sheet"} matches \`sheet\`. There are ${names}.`);
}

function matching(sheets: readonly Sheet[], visible: readonly Sheet[], wanted: XlsxOptions["sheet"]): readonly Sheet[] {
  if (wanted === undefined) return visible;
  if (typeof wanted === "number") return sheets.slice(wanted - 1, wanted);
  if (typeof wanted === "string") return sheets.filter(({ name }) => name === wanted);
  const pattern = linearPattern(wanted.matches);
  return sheets.filter(({ name }) => pattern.isIn(name));
}

export function memberOf(zip: ZipDirectory, name: string): ZipMember | undefined {
  const key = name.toLowerCase();
  return zip.members.find((member) => member.name.toLowerCase() === key);
}

async function relations(zip: ZipDirectory, part: string, folder: string) {
  const found = new Map<string, { kind: string; target: string }>();
  const member = memberOf(zip, part);
  if (!member) return found;
  await readXml(bufferedPart(zip, member), part, {
    open(name, { Id = "", Type = "", Target = "", TargetMode }) {
      if (name === "Relationship" && TargetMode !== "External")
        found.set(Id, { kind: Type.slice(Type.lastIndexOf("/") + 1), target: resolved(folder, Target) });
    },
  });
  return found;
}

function resolved(folder: string, target: string): string {
  const path: string[] = target.startsWith("/") ? [] : folder.split("/").filter((step) => step !== "");
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}

async function readSheets(
  zip: ZipDirectory,
  member: ZipMember,
  related: ReadonlyMap<string, { kind: string; target: string }>,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readXml(bufferedPart(zip, member), member.name, {
    open(tag, attributes) {
      if (tag === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (tag !== "sheet") return;
      const { kind = "worksheet", target: part = "" } = related.get(attributes.id ?? "") ?? {};
      if (kind !== "worksheet") return; // a chart, a dialogue or macros
      sheets.push({ name: attributes.name ?? "", isHidden: /^(?:very)?hidden$/i.test(attributes.state ?? ""), part });
    },
  });
  return { sheets, is1904 };
}

const isTrue = (text: string | undefined): boolean => text === "1" || text === "true" || text === "on";

async function readStyles(zip: ZipDirectory, member: ZipMember | undefined): Promise<Shown[]> {
  const styles: Shown[] = [];
  if (!member) return styles;
  const codes = new Map<number, Shown>();
  let isInCells = false;
  await readXml(bufferedPart(zip, member), member.name, {
    open(tag, { numFmtId, formatCode = "" }) {
      if (tag === "cellXfs") isInCells = true;
      const id = Number(numFmtId ?? 0);
      if (tag === "numFmt") codes.set(id, shownByCode(formatCode));
      if (tag === "xf" && isInCells) styles.push(codes.get(id) ?? shownByBuiltIn(id));
    },
    close(tag) {
      if (tag === "cellXfs") isInCells = false;
    },
  });
  return styles;
}

async function readStrings(zip: ZipDirectory, member: ZipMember | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (!member) return strings;
  const item = new StringItem();
  let characters = 0;
  await readXml(zip.read(member), member.name, {
    open(tag) {
      if (tag === "si") item.begin();
      item.open(tag);
    },
    text: (text) => item.add(text),
    close(tag) {
      item.close(tag);
      if (tag !== "si") return;
      strings.push(item.text);
      characters += item.text.length + STRING_OVERHEAD;
      if (characters > STRINGS_CHARACTERS_MAX)
        throw mismatch("The workbook's strings are larger than 256 MiB. Save the sheet as csv.");
    },
  });
  return strings;
}

/** The text of a string with runs, without phonetic readings. `_x000D_` and the like are decoded to characters. */
export class StringItem {
  private parts: string[] = [];
  private isText = false;
  private isPhonetic = false;
  private characters = 0;

  begin(): void {
    this.parts = [];
    this.characters = 0;
    this.isPhonetic = false;
  }

  open(tag: string): void {
    if (tag === "rPh") this.isPhonetic = true;
    if (tag === "t") this.isText = !this.isPhonetic;
  }

  add(text: string): void {
    if (!this.isText) return;
    this.parts.push(text);
    this.characters += text.length;
    if (this.characters > TEXT_CHARACTERS_MAX) throw tooLong();
  }

  close(tag: string): void {
    if (tag === "rPh") this.isPhonetic = false;
    if (tag === "t") this.isText = false;
  }

  get text(): string {
    return unescaped(this.parts.join(""));
  }
}

export const tooLong = (): ReadFailure =>
  new ReadFailure("archive_unsafe", "A string of the workbook is longer than 16 MiB.");

/** Characters that XML cannot hold, such as `_x000D_` for a carriage return. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
