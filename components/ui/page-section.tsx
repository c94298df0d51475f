import type { ReactNode } from "react";

/** A section of a page about data, with a heading that addresses can name. */
export const PageSection = ({
  id,
  title,
  aside,
  children,
}: {
  id: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section aria-labelledby={id} className="mt-14 border-ink border-t-2 pt-5">
    <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {aside && <p className="text-muted text-xs tabular-nums">{aside}</p>}
    </div>
    {children}
  </section>
);
