import type { ReactElement } from "react";
import { PALETTE } from "./palette";
import type { ProfileBars } from "./profile-bars";

export const PICTURE = { width: 1200, height: 630 } as const;

/** The contents of a picture. Its strings contain only characters that can be drawn (drawable-text.ts). */
export interface PictureText {
  title: string;
  summary: string;
  facts: readonly string[];
  bars?: (ProfileBars & { label: string }) | undefined;
}

const EDGE = 72;
const BARS_TALL = 150;
const BAR_MIN = 3;

/**
 * A page's picture for link previews. Not a web page: laid out by Satori, which supports only flexbox and style
 * attributes.
 */
export function Picture({ title, summary, facts, bars }: PictureText): ReactElement {
  return (
    <div
      style={{
        width: "100%",
        height: "100%",
        display: "flex",
        flexDirection: "column",
        background: PALETTE.paper,
        color: PALETTE.ink,
        fontFamily: "Inter",
      }}
    >
      <div style={{ display: "flex", flexDirection: "column", flexGrow: 1, padding: `${EDGE - 16}px ${EDGE}px 0` }}>
        <Brand />
        <div
          style={{
            display: "flex",
            marginTop: 32,
            fontSize: titleSize(title),
            fontWeight: 600,
            letterSpacing: "-0.025em",
            lineHeight: 1.08,
          }}
        >
          {title}
        </div>
        <div style={{ display: "flex", marginTop: 20, fontSize: 27, lineHeight: 1.35, color: PALETTE.muted }}>
          {summary}
        </div>
      </div>
      {bars && <Bars bars={bars} />}
      <Facts facts={facts} />
    </div>
  );
}

const titleSize = (title: string): number => (title.length <= 24 ? 80 : title.length <= 48 ? 64 : 52);

const Brand = () => (
  <div style={{ display: "flex", alignItems: "center", fontSize: 28, fontWeight: 600, letterSpacing: "-0.015em" }}>
    <svg width={38} height={38} viewBox="0 0 24 24" role="presentation" style={{ marginRight: 14 }}>
      <path d="M0 7 7 0h5v2.5L2.5 12H0z" fill={PALETTE.accent} />
      <path d="M24 7 17 0h-5v2.5L21.5 12H24z" fill={PALETTE.bar} />
      <path d="M2.5 12 12 21.5V24H7L0 17v-5z" fill={PALETTE.bar} />
      <path d="M21.5 12 12 21.5V24h5l7-7v-5z" fill={PALETTE.accent} />
    </svg>
    Parquetry
  </div>
);

function Bars({ bars }: { bars: ProfileBars }) {
  return (
    <div style={{ display: "flex", flexDirection: "column", padding: `0 ${EDGE}px` }}>
      <div style={{ display: "flex", justifyContent: "flex-end", fontSize: 20, color: PALETTE.muted }}>
        {bars.label}
      </div>
      <div style={{ display: "flex", alignItems: "flex-end", height: BARS_TALL }}>
        {bars.heights.map((height, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: bars never move.
            key={at}
            style={{
              flexGrow: 1,
              flexBasis: 0,
              height: height === 0 ? 0 : Math.max(BAR_MIN, height * BARS_TALL),
              marginRight: 4,
              background: PALETTE.bar,
              borderRadius: "3px 3px 0 0",
            }}
          />
        ))}
      </div>
    </div>
  );
}

const Facts = ({ facts }: { facts: readonly string[] }) => (
  <div
    style={{
      display: "flex",
      alignItems: "center",
      height: 84,
      flexShrink: 0,
      padding: `0 ${EDGE}px`,
      background: PALETTE.surface,
      borderTop: `3px solid ${PALETTE.accent}`,
      fontSize: 24,
    }}
  >
    {facts.map((fact, at) => (
      <div
        key={fact}
        style={{
          display: "flex",
          marginRight: 36,
          color: at === 0 ? PALETTE.ink : PALETTE.muted,
          fontWeight: at === 0 ? 600 : 400,
        }}
      >
        {fact}
      </div>
    ))}
  </div>
);
