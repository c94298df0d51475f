import type { ColumnNote } from "@/lib/schemas/publish";

export const languageSubtagColumns: readonly ColumnNote[] = [
  {
    name: "type",
    type: "string",
    description: "Kind of entry: language, extlang, script, region, variant, grandfathered or redundant.",
  },
  {
    name: "subtag",
    type: "string",
    description:
      "The subtag, or a range such as qaa..qtz; null for grandfathered and redundant entries. Unique within its type.",
  },
  {
    name: "tag",
    type: "string",
    description: "The complete tag of a grandfathered or redundant entry; null for all others.",
  },
  { name: "name", type: "string", description: "The first of the descriptions, for searching." },
  {
    name: "descriptions",
    type: "list<string>",
    description: "All names in English or transcription, in the registry's order; at least one.",
  },
  { name: "added", type: "date", description: "When the entry was added to the registry." },
  {
    name: "deprecated",
    type: "date",
    description: "When the entry was deprecated, possibly before it was added; null if it is in use.",
  },
  {
    name: "preferred_value",
    type: "string",
    description:
      "What to use instead of this entry; null if the entry itself is the one to use, or if nothing replaces it.",
  },
  {
    name: "prefixes",
    type: "list<string>",
    description: "Tags that the extended language or variant is meant to follow; null if none are given.",
  },
  {
    name: "suppress_script",
    type: "string",
    description: "Script subtag to omit with this language, as nearly all its text is written in this script.",
  },
  { name: "macrolanguage", type: "string", description: "The macrolanguage that encompasses this language." },
  {
    name: "scope",
    type: "string",
    description:
      "Scope of the language: macrolanguage, collection, special or private-use; null for individual languages.",
  },
  { name: "comments", type: "list<string>", description: "The registry's remarks; null if there are none." },
];
