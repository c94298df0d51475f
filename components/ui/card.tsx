import type { ReactNode } from "react";

/** Something that stands for itself among others of its kind; `isChosen` marks the one that holds. */
export function Card({ isChosen = false, children }: { isChosen?: boolean; children: ReactNode }) {
  return (
    <div className={`h-full rounded-lg border bg-raised p-4 sm:p-5 ${isChosen ? "border-accent" : "border-line"}`}>
      {children}
    </div>
  );
}
