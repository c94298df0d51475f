import type { ReactNode } from "react";

interface Props {
  /** Made by `studioFields`. */
  fields: Readonly<Record<string, string>>;
  className?: string;
  /** The URL that it is posted to, if different from the other forms': for a form with a file. */
  fileTo?: string;
  children: ReactNode;
}

/** A plain form of the studio: it is posted, and the reply redirects back to a page. */
export function StudioForm({ fields, className, fileTo, children }: Props) {
  return (
    <form
      method="post"
      action={fileTo ?? "/studio/new/answer"}
      {...(fileTo !== undefined && { encType: "multipart/form-data" })}
      className={className}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
