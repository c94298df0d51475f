import { oneLine } from "@/lib/kernel/format";

/** Ends of lines for readers of Markdown, and those that only some readers know. */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** A publisher's name or title within our line: neither a link, a tag or code, nor the end of the line. */
export const inlineMarkdown = (text: string): string => oneLine(text).replace(/[\\`[\]<]/g, "\\$&");

/**
 * A publisher's text as a block quote, under words that say whose it is: its headings and lists are never mistaken for
 * the service's own.
 */
export const quotedMarkdown = (text: string): string =>
  `In the publisher's words:\n\n${text
    .trim()
    .split(LINE_ENDS)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")}`;
