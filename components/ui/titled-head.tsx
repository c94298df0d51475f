import type { ReactNode } from "react";

interface Props {
  /** The heading's id, which URLs can link to. */
  id: string;
  title: string;
  level: 2 | 3;
  /** Small print next to the heading. */
  aside?: ReactNode;
}

/** A heading with an optional remark next to it. */
export function TitledHead({ id, title, level, aside }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className={`${level === 2 ? "mb-4" : "mb-3"} flex flex-wrap items-baseline justify-between gap-x-4`}>
      <Heading id={id} className={level === 2 ? "text-2xl" : "text-lg"}>
        {title}
      </Heading>
      {aside && <p className="text-muted text-xs tabular-nums">{aside}</p>}
    </div>
  );
}
