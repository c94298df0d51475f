/** The light theme's colours for pictures, which cannot use style sheets; a test compares them with the tokens. */
export const PALETTE = {
  paper: "#ffffff",
  surface: "#f4f7f6",
  line: "#dde5e2",
  ink: "#12201c",
  muted: "#4d5c57",
  faint: "#64736e",
  accent: "#0b6b5a",
  bar: "#55a08f",
} as const;

/** The dark theme's colours that a picture inside a page needs. */
export const DARK = {
  line: "#28332f",
  faint: "#8d9c96",
  bar: "#3d8f7e",
} as const;
