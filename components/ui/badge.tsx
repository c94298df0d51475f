import type { ReactNode } from "react";

/** The tone of a status, which is always also shown as text: colour alone is not enough. */
export type Tone = "neutral" | "accent" | "ok" | "info" | "notice" | "warning" | "danger";

/** One or two words about the state of the adjacent item. */
export function Badge({ tone = "neutral", title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {children}
    </span>
  );
}
