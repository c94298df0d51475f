import type { ArchiveEntry } from "./archive";

/** A sheet: its name, and its XML or how to open it. */
export type Sheet = { name: string } & ({ xml: string } | { open: Exclude<ArchiveEntry, { bytes: Buffer }>["open"] });

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The cell formats of `styles.xml`, by their index. */
export const STYLES = { bold: 1, date: 2, timestamp: 3 } as const;

/** Larger parts need an extension of ZIP, and Excel offers to repair files that use it. */
export const PART_BYTES_MAX = 2 ** 32 - 2;

/** The parts of an Excel workbook (ECMA-376), as the entries of its archive. */
export function workbookParts(sheets: readonly Sheet[]): ArchiveEntry[] {
  const ids = sheets.map((_, at) => at + 1);
  const text = (name: string, xml: string) => ({ name, bytes: Buffer.from(HEAD + xml), isCompressed: true as const });
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
  const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${TYPE}.${type}+xml"/>`;
  return [
    text(
      "[Content_Types].xml",
      `<Types xmlns="${PACKAGE}/content-types">` +
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/>` +
        override("xl/workbook.xml", "sheet.main") +
        override("xl/styles.xml", "styles") +
        ids.map((id) => override(`xl/worksheets/sheet${id}.xml`, "worksheet")).join("") +
        "</Types>",
    ),
    text(
      "_rels/.rels",
      `<Relationships xmlns="${PACKAGE}/relationships">${relation("rId1", "officeDocument", "xl/workbook.xml")}` +
        "</Relationships>",
    ),
    text(
      "xl/workbook.xml",
      `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>` +
        sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("") +
        "</sheets></workbook>",
    ),
    text(
      "xl/_rels/workbook.xml.rels",
      `<Relationships xmlns="${PACKAGE}/relationships">` +
        ids.map((id) => relation(`rId${id}`, "worksheet", `worksheets/sheet${id}.xml`)).join("") +
        relation(`rId${ids.length + 1}`, "styles", "styles.xml") +
        "</Relationships>",
    ),
    text("xl/styles.xml", STYLES_XML),
    ...sheets.map((sheet, at) => {
      const name = `xl/worksheets/sheet${at + 1}.xml`;
      return "xml" in sheet
        ? { name, bytes: Buffer.from(sheet.xml), isCompressed: true as const }
        : { name, open: sheet.open, bytesMax: PART_BYTES_MAX };
    }),
  ];
}

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const format = (number: number, font = 0) =>
  `<xf numFmtId="${number}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;

const STYLES_XML =
  `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>' +
  `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="4">${format(0)}${format(0, 1)}${format(164)}${format(165)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** The beginning of a sheet, up to its columns. The first row stays in view. */
export const SHEET_HEAD =
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
  'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** The end of a sheet, after its rows. */
export const SHEET_END = "</sheetData></worksheet>";
