/** Whether the members of a zip are the parts of a workbook, which only its own reader opens. */
export function isWorkbook(members: readonly { name: string }[]): boolean {
  const names = members.map(({ name }) => name.toLowerCase());
  const isOffice = names.includes("[content_types].xml") && names.some((name) => name.startsWith("xl/"));
  return isOffice || names.includes("xl/workbook.xml") || isOpenDocument(names);
}

/** OpenDocument, which the reader of workbooks refuses by name. */
export const isOpenDocument = (names: readonly string[]): boolean =>
  names.includes("mimetype") && names.includes("content.xml");
