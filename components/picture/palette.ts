/** The light theme's colours for pictures, which no style sheet reaches; a test holds them against the tokens. */
export const PALETTE = {
  paper: "#ffffff",
  surface: "#f4f7f6",
  line: "#dde5e2",
  ink: "#12201c",
  muted: "#4d5c57",
  accent: "#0b6b5a",
  bar: "#55a08f",
} as const;
