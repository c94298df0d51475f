import type { ReactNode, Ref } from "react";

interface Props {
  title: string;
  intro?: ReactNode;
  /** A ref to the heading, for callers that move the focus to it. */
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** The frame of the sign-in pages: one task in one column. */
export function NarrowPage({ title, intro, heading, children }: Props) {
  return (
    <div className="page py-12 sm:py-20">
      <div className="mx-auto max-w-sm">
        <h1 ref={heading} tabIndex={heading ? -1 : undefined} className="text-2xl">
          {title}
        </h1>
        {intro && <p className="mt-2 text-pretty text-muted text-sm">{intro}</p>}
        <div className="mt-6">{children}</div>
      </div>
    </div>
  );
}
