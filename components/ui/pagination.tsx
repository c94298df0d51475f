import { LinkButton } from "./button";

interface Props {
  /** What is paged, such as “Pages of the log”. */
  label: string;
  /** Addresses: of the beginning, when this is not it, and of what follows, when something does. */
  first?: string | undefined;
  next?: string | undefined;
  firstWords?: string;
  nextWords?: string;
  small?: boolean;
}

/** The way on through a list by cursors, which lead only forward and back to the beginning. */
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
