import { z } from "zod";

/**
 * Control characters, unpaired surrogates, line and paragraph separators, and characters that change the direction of
 * surrounding text.
 */
const DISTURBING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\p{C}\p{Z}]/u;

const ONE_LINE = "Do not use control characters, line breaks or text direction marks.";

/** A title or name chosen by publishers: one line, because documents put it into headings and links. */
export const lineSchema = (charactersMax: number) =>
  z
    .string()
    .trim()
    .min(1, "Empty. Expected a line of text.")
    .max(charactersMax)
    .refine((text) => !DISTURBING.test(text), ONE_LINE);

/** A name that people choose and others read, in pages, emails and terminals: one line with a visible character. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(100, "Use at most 100 characters.")
  .refine((text) => !DISTURBING.test(text), ONE_LINE)
  .refine((text) => text === "" || VISIBLE.test(text), "Use at least one visible character.");
