import "server-only";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { sha256Hex } from "@/lib/kernel/sha256";

const FOLDER = join("node_modules", "@fontsource-variable", "inter", "files");

/**
 * The site's typeface: the characters that most text needs, and letters such as ā and ő, which a frame loads only if
 * needed.
 */
const FONTS = {
  inter: {
    file: "inter-latin-wght-normal.woff2",
    range:
      "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193," +
      "U+2212,U+2215,U+FEFF,U+FFFD",
  },
  "inter-ext": {
    file: "inter-latin-ext-wght-normal.woff2",
    range:
      "U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F," +
      "U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
  },
} as const;

type FontName = keyof typeof FONTS;

const read = (name: FontName): Buffer => readFileSync(join(process.cwd(), FOLDER, FONTS[name].file));

/** The rules of a frame's style sheet that load its typeface, only from this service. */
export function fontFaces(): string {
  const names = Object.keys(FONTS) as FontName[];
  return names
    .map(
      (name) =>
        `@font-face { font-family: Inter; font-weight: 100 900; font-display: swap; src: ` +
        `url("/embed/${name}.woff2?v=${sha256Hex(read(name)).slice(0, 12)}") format("woff2"); ` +
        `unicode-range: ${FONTS[name].range}; }`,
    )
    .join("\n");
}

/** The endpoint of one of the files, open to every origin because a frame with `sandbox` has none. */
export function fontEndpoint(name: FontName) {
  let bytes: Buffer | undefined;
  return documentEndpoint(
    "font/woff2",
    () => {
      bytes ??= read(name);
      return bytes;
    },
    { isImmutable: true },
  );
}
