import type { ReactNode } from "react";
import { TitledHead } from "./titled-head";

/** A section of a page about data, with a heading that URLs can name. */
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
    <TitledHead id={id} title={title} level={2} aside={aside} />
    {children}
  </section>
);
