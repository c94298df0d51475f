import type { ReactNode } from "react";

interface Props {
  /** Made by `studioFields`. */
  fields: Readonly<Record<string, string>>;
  className?: string;
  children: ReactNode;
}

/** A plain form of the studio: it is posted, and the reply leads back to a page. */
export function StudioForm({ fields, className, children }: Props) {
  return (
    <form method="post" action="/studio/new/answer" className={className}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
