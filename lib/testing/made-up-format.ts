import { PAGE_FORMATS, type PageFormat } from "@/lib/formats/page-formats";

/**
 * An output format that the service does not have. Importing this file adds it; import it before the code under test.
 */
(PAGE_FORMATS as PageFormat[]).push({
  media: "application/vnd.made-up",
  extension: "mad",
  isBinary: true,
  label: "Made-up",
  description: "The number of rows, as one byte.",
  write: (page) => Uint8Array.of(page.returnedRows),
});
