import type { ReactNode } from "react";

/** One of several similar items; `isChosen` marks the selected one. */
export function Card({ isChosen = false, children }: { isChosen?: boolean; children: ReactNode }) {
  return (
    <div className={`h-full rounded-lg border bg-raised p-4 sm:p-5 ${isChosen ? "border-accent" : "border-line"}`}>
      {children}
    </div>
  );
}
