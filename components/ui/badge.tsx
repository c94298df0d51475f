import type { ReactNode } from "react";

/** What a status means, always said in words too: colour alone tells nobody. */
export type Tone = "neutral" | "accent" | "ok" | "info" | "notice" | "warning" | "danger";

/** A word or two about the state of what stands beside it. */
export function Badge({ tone = "neutral", title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {children}
    </span>
  );
}
