/**
 * The media type of CSV, also for files not written by a query. Separate from the formats, so that browsers need not
 * load them.
 */
export const CSV_MEDIA = "text/csv";
