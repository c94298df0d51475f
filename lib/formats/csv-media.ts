/** The media type of CSV, also of files that no query wrote; apart from the formats, which browsers need not load. */
export const CSV_MEDIA = "text/csv";
