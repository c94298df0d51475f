/** The languages that snippets are written in, by their names in the highlighter. */
export type CodeLanguage = "shellscript" | "python" | "javascript" | "sql" | "json" | "r" | "text";
