import { histogramPath } from "@/components/profile/profile-drawing";
import { xmlElement } from "@/lib/describe/xml";
import { cutText } from "./drawable-text";
import { DARK, PALETTE } from "./palette";
import type { ProfileBars } from "./profile-bars";

/** In pixels, at the card's size. */
export const CARD_DRAWING = { width: 184, height: 54 } as const;

const BARS_TALL = 36;
const LABEL_MOST = 28;

const { width, height } = CARD_DRAWING;

/** Follows the theme of its page, because `prefers-color-scheme` in an image does. */
const STYLE =
  `path{fill:${PALETTE.bar}}line{stroke:${PALETTE.line}}text{fill:${PALETTE.faint}}` +
  `@media(prefers-color-scheme:dark){path{fill:${DARK.bar}}line{stroke:${DARK.line}}text{fill:${DARK.faint}}}`;

/**
 * The small drawing of a dataset's card, as SVG: one column's bars above its name, the same as in the dataset's
 * picture. Without bars if no column has a distribution to draw.
 */
export function cardDrawing(bars: ProfileBars | undefined): string {
  const box = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const frame = `xmlns="http://www.w3.org/2000/svg" ${box}`;
  const base = BARS_TALL + 0.5;
  if (!bars) return `<svg ${frame}/>`;
  const label = xmlElement("text", cutText(bars.label, LABEL_MOST), {
    ...{ x: "0", y: String(height - 4), fill: PALETTE.faint, "font-size": "11" },
    "font-family": "Inter, ui-sans-serif, system-ui, sans-serif",
  });
  return (
    `<svg ${frame}>${xmlElement("title", `Distribution of ${bars.label}`)}<style>${STYLE}</style>` +
    `<path fill="${PALETTE.bar}" d="${histogramPath(bars.heights, width, BARS_TALL)}"/>` +
    `<line x1="0" x2="${width}" y1="${base}" y2="${base}" stroke="${PALETTE.line}"/>${label}</svg>`
  );
}
