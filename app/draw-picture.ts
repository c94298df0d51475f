import "server-only";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ImageResponse } from "next/og";
import { PICTURE, Picture, type PictureText } from "@/components/picture/picture";
import { Admission } from "@/lib/kernel/admission";
import { processCache } from "@/lib/kernel/cache";
import { subjectAtWork } from "@/lib/kernel/caller";
import { processWide } from "@/lib/kernel/process-wide";
import { sha256Hex } from "@/lib/kernel/sha256";

/** Of about 40 kB each. */
const PICTURES_KEPT = 200;
const SUBSETS = ["latin", "latin-ext", "greek", "cyrillic", "vietnamese"];
const WEIGHTS = [400, 600] as const;

/** A picture as PNG: drawn once per text, one at a time, and without network access. */
export async function drawPicture(text: PictureText): Promise<Uint8Array> {
  const drawn = processCache<Uint8Array>("pictures", { capacity: PICTURES_KEPT });
  return await drawn.get(sha256Hex(JSON.stringify(text)), () => draw(text));
}

const QUEUE_MS = 10_000;

/** One after another and each caller in turn, because each keeps a CPU core busy for a while. */
const draw = (text: PictureText): Promise<Uint8Array> =>
  processWide("drawing", () => new Admission({ slots: 1, queueMs: QUEUE_MS })).run(subjectAtWork(), () => render(text));

async function render(text: PictureText): Promise<Uint8Array> {
  const fonts = await processWide("picture-fonts", readFonts);
  return new Uint8Array(await new ImageResponse(Picture(text), { ...PICTURE, fonts }).arrayBuffer());
}

/** The first font that has a letter's glyph is used. */
const readFonts = () =>
  Promise.all(
    SUBSETS.flatMap((subset) =>
      WEIGHTS.map(async (weight) => ({
        name: subset === "latin" ? "Inter" : `Inter ${subset}`,
        weight,
        style: "normal" as const,
        data: await readFile(
          join(process.cwd(), "node_modules/@fontsource/inter/files", `inter-${subset}-${weight}-normal.woff`),
        ),
      })),
    ),
  );
