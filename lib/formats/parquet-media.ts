/** The media type of Parquet, also of files that no query wrote; apart from the formats, which browsers need not load. */
export const PARQUET_MEDIA = "application/vnd.apache.parquet";
