interface Rule {
  not: RegExp;
  but: string;
  /** Breaks the rule, as prose, an identifier or a file name. */
  example: string;
  /** Close to it, and allowed. */
  allowed?: string;
}

/** THE glossary: words that this project does not use for what the field has a term for. */
export const GLOSSARY: readonly Rule[] = [
  { not: /\ballowances?\b/, but: "quota, rate limit", example: "takeAllowance", allowed: "an allowed origin" },
  { not: /\blight (?:read|reads|request|requests)\b/, but: "metadata request", example: "light-reads.test.ts" },
  { not: /\bfence[sd]?\b/, but: "maintenance mode", example: "raiseFence", allowed: "defence" },
  { not: /\b(?:sweep|sweeps|sweeping|swept)\b/, but: "harvest", example: "sweptAt" },
  { not: /\bwalk(?:s|ed|ing)?\b/, but: "pagination, iterate pages", example: "a walk over the rows" },
  { not: /\bpag(?:e|es|ed|ing) through\b/, but: "paginate", example: "pages through the rows" },
  { not: /\bmend(?:s|ed|ing)?\b/, but: "fix, repair", example: "mendBlob", allowed: "recommended" },
  { not: /\bturn(?:s|ed|ing)? (?:\w+ ){0,2}away\b/, but: "reject, deny", example: "turns the device away" },
  { not: /\bcom(?:e|es|ing) to run\b/, but: "execute", example: "before it comes to run" },
  { not: /\bmisfits?\b/, but: "cast error", example: "findMisfits" },
  { not: /\bstretch(?:es)?\b/, but: "segment, range", example: "readStretches", allowed: "the picture is stretched" },
  { not: /\bhand(?:s|ed|ing)? offs?\b/, but: "deferred body", example: "hand-off", allowed: "hands the file over" },
  { not: /\bstands? twice\b/, but: "is duplicated", example: "the name stands twice" },
  { not: /\bstands in\b/, but: "is in", example: "the row stands in a table", allowed: "a stand-in for the server" },
  { not: /\bwho(?:ever)? runs (?:this|the|a|it)\b/, but: "the administrator", example: "ask who runs this service" },
  {
    not: /\bkept (?:page|answer|fact|output|statement|read)s?\b/,
    but: "cached",
    example: "keptPages",
    allowed: "kept rows",
  },
  { not: /\bpages? with holes?\b/, but: "page template", example: "PageWithHoles" },
  { not: /\bdeafen(?:s|ed|ing)?\b/, but: "ignore writes", example: "deafen" },
  { not: /\b(?:table|stored|keep|new|find) standings?\b/, but: "verdict", example: "storedStanding" },
  { not: /\bnote (?:download|usage|use|promotion|generation|dataset|watch)\b/, but: "record", example: "noteUsage" },
  { not: /\bheld claims?\b/, but: "run claim", example: "HeldClaim" },
  { not: /\bhost places?\b/, but: "slot", example: "takeHostPlace" },
  { not: /\b(?:hold|held) memory\b/, but: "reserve memory", example: "holdMemory", allowed: "held in memory" },
  { not: /\bask people\b(?! to)/, but: "request human approval", example: "askPeople" },
  { not: /\bkeep schedules?\b/, but: "run schedules", example: "keepSchedules" },
  {
    not: /\b(?:a|an|the|one|no|any|each|another|by|such|this) mail\b(?! server)|\bmails\b/,
    but: "email",
    example: "sends a mail",
    allowed: "the mail server",
  },
  {
    not: /\ba text(?=[.,;:)]|$| (?:is|in|that|of|to|or|as|with|from|for)\b)/,
    but: "a string",
    example: "id is a text or a number",
    allowed: "a text file",
  },
];

/** Names that are stored or belong to others, and other meanings of a word; `path` where only some files may hold it. */
const EXCEPTIONS: readonly { text: string; path?: RegExp }[] = [
  { text: "sources.swept" }, // recorded in the append-only audit log
  { text: "sources\\.swept" },
  { text: "SourceSweep" }, // names in the database
  { text: "TableStanding" },
  { text: "tableStanding" },
  { text: "sweptAt" },
  { text: "sweepId" },
  // a fencing token: a worker that was overtaken writes nothing
  { text: "fence", path: /^lib\/(?:store\/(?:runs|releases|sources)|worker)\/|build|^prisma\/schema\.prisma$/ },
  { text: "fence", path: /^lib\/docs\/(?:doc|page)-markdown\.ts$/ }, // code blocks in Markdown
];

/** Applied migrations never change; results of other projects' suites are not ours to word. */
const OTHERS = /^(?:prisma\/migrations|docs\/conformance|lib\/testing\/glossary\.ts$)/;
const TEXTS = /\.(?:tsx?|md|mjs|css|prisma|ya?ml|json|sql)$|^\.env\.example$/;

/** Whether the glossary applies to a file of the project, by its path. */
export const isWorded = (path: string): boolean =>
  TEXTS.test(path) && !OTHERS.test(path) && path !== "package-lock.json";

/** Identifiers and file names as words: `readStretches`, `light-reads` → `read stretches`, `light reads`. */
export const asWords = (text: string): string =>
  text
    .replace(/([a-z\d])(?=[A-Z])/g, "$1 ")
    .replace(/[_-]/g, " ")
    .toLowerCase();

/** Where a text uses a word that the glossary replaces: `path: "word" (say: term)`. */
export function glossaryFaults(path: string, text: string): string[] {
  const own = EXCEPTIONS.filter((exception) => !exception.path || exception.path.test(path));
  const rest = own.reduce((left, exception) => left.replaceAll(exception.text, ""), text);
  const flat = asWords(rest.replace(/\n[ \t]*(?:\*|\/\/|\/\/\/)?[ \t]*/g, "\n"));
  return GLOSSARY.flatMap(({ not, but }) =>
    [...flat.matchAll(new RegExp(not.source.replaceAll(" ", "[ \\n]"), "g"))].map(
      ([found]) => `${path}: "${found.replace("\n", " ")}" (say: ${but})`,
    ),
  );
}
