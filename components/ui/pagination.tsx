import { LinkButton } from "./button";

interface Props {
  /** A label for the pages, such as “Pages of the log”. */
  label: string;
  /** URLs of the first page, unless this is it, and of the next page, if there is one. */
  first?: string | undefined;
  next?: string | undefined;
  firstWords?: string;
  nextWords?: string;
  small?: boolean;
}

/** Pagination by cursors, which can only go forward or back to the first page. */
export function Pagination({
  label,
  first,
  next,
  firstWords = "First page",
  nextWords = "Next page",
  small = false,
}: Props) {
  if (!first && !next) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap gap-3">
      {first && (
        <LinkButton href={first} small={small}>
          {firstWords}
        </LinkButton>
      )}
      {next && (
        <LinkButton href={next} small={small} rel="next">
          {nextWords}
        </LinkButton>
      )}
    </nav>
  );
}
