interface Props {
  /** What is awaited, such as “Querying flights”. */
  label: string;
}

/** An activity of unknown duration. */
export function ProgressBar({ label }: Props) {
  return <div role="progressbar" aria-label={label} className="progress" />;
}

/** Lines that are loading, with their final height, so that nothing shifts. */
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
