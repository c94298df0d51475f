import type { ReactNode } from "react";

/** The frame of the pages on the way in: one thing to do, in one column. */
export function NarrowPage({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className="page py-12 sm:py-20">
      <div className="mx-auto max-w-sm">
        <h1 className="text-2xl">{title}</h1>
        {intro && <p className="mt-2 text-muted text-sm">{intro}</p>}
        <div className="mt-6">{children}</div>
      </div>
    </div>
  );
}
