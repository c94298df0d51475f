import { ZipFile } from "yazl";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface WorkbookParts {
  /** Rows of the first sheets: the content of `<sheetData>`, or a whole document that begins with `<`+`?xml`. */
  sheets: readonly { name: string; data: string; state?: "hidden" }[];
  /** The content of `<sst>`. */
  strings?: string;
  /** The content of `<styleSheet>`. */
  styles?: string;
  workbookPr?: string;
  /** Parts that replace or supplement the generated ones. Null omits a part. */
  parts?: Readonly<Record<string, string | Buffer | null>>;
  stored?: boolean;
}

/** A workbook of parts as programs write them, zipped. */
export async function workbook({ sheets, strings, styles, workbookPr, parts, stored }: WorkbookParts): Promise<Buffer> {
  const made: Record<string, string | Buffer | null> = {
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": workbookXml(sheets, workbookPr ?? ""),
    "xl/_rels/workbook.xml.rels": relations([
      ...sheets.map((_, at) => [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`] as const),
      ["rId98", "styles", "styles.xml"],
      ["rId99", "sharedStrings", "sharedStrings.xml"],
    ]),
    "xl/styles.xml": styles === undefined ? null : `${HEAD}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    "xl/sharedStrings.xml": strings === undefined ? null : `${HEAD}<sst xmlns="${MAIN}">${strings}</sst>`,
    ...Object.fromEntries(sheets.map(({ data }, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(data)])),
    ...parts,
  };
  return zipped(made, stored ?? false);
}

const sheetXml = (data: string): string =>
  data.startsWith("<?xml") ? data : `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`;

function workbookXml(sheets: WorkbookParts["sheets"], workbookPr: string): string {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="rId${at + 1}"/>`,
  );
  return (
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${workbookPr}<sheets>${list.join("")}</sheets>` +
    `</workbook>`
  );
}

function relations(list: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const items = list.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  );
  const space = "http://schemas.openxmlformats.org/package/2006/relationships";
  return `${HEAD}<Relationships xmlns="${space}">${items.join("")}</Relationships>`;
}

/** A zip of these strings or bytes, without null ones. */
export async function zipped(parts: Readonly<Record<string, string | Buffer | null>>, stored = false): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    if (content !== null) zip.addBuffer(Buffer.from(content as string), name, { compress: !stored });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const text = (value: string) => `<si><t>${value}</t></si>`;

export const inline = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;

export const shared = (ref: string, index: number) => `<c r="${ref}" t="s"><v>${index}</v></c>`;
