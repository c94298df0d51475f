/** Says what does not work without JavaScript. */
export function NeedsScript({ what }: { what: string }) {
  return (
    <noscript>
      <p className="mb-6 rounded-md bg-surface px-3.5 py-2.5 text-sm">
        {what} requires JavaScript. Enable it for this site and reload the page.
      </p>
    </noscript>
  );
}
