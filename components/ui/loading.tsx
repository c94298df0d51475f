interface Props {
  /** What is awaited, such as “Querying flights”. */
  label: string;
}

/** That something is under way whose length nobody knows. */
export function ProgressBar({ label }: Props) {
  return <div role="progressbar" aria-label={label} className="progress" />;
}

/** Where lines will stand that are on their way; as tall as they will be, so that nothing moves. */
export function Skeleton({ label, lines }: Props & { lines: number }) {
  return (
    <div role="status" className="skeleton">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move.
        <span key={at} aria-hidden="true" />
      ))}
    </div>
  );
}
