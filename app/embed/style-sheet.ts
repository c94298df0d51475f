import "server-only";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "@/lib/kernel/sha256";
import { fontFaces } from "./fonts";

/**
 * The parts of the site's styles that a frame needs; the rest is not sent to other sites. The frame's own part comes
 * first, because it names the lowest layer.
 */
const PARTS = ["embed", "fonts", "colours", "chart-colours", "charts"] as const;

let made: { text: string; url: string } | undefined;

/** The style sheet of frames, and its URL, which changes with it. Read once per process. */
export function embedStyles(): { text: string; url: string } {
  made ??= read();
  return made;
}

function read() {
  const folder = join(process.cwd(), "app", "styles");
  const parts = PARTS.map((part) =>
    readFileSync(join(folder, `${part}.css`), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
  );
  const text = [...parts, fontFaces()].join("\n").replaceAll(/\s+/g, " ");
  return { text, url: `/embed/style.css?v=${sha256Hex(text).slice(0, 12)}` };
}
