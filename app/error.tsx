"use client";

export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <div className="page py-20">
      <p className="eyebrow">Error</p>
      <h1 className="mt-2 text-3xl">This page could not be made</h1>
      <p className="mt-4 max-w-prose text-muted">Something failed on our side. Nothing of yours is lost: try again in a moment.</p>
      {error.digest && (
        <p className="mt-4 text-muted text-sm">
          If it persists, report this code: <code className="font-mono text-ink">{error.digest}</code>
        </p>
      )}
      <div className="mt-8 flex flex-wrap gap-3">
        <button type="button" onClick={retry} className="button button-primary needs-script">
          Try again
        </button>
        <a href="/" className="button">
          Home
        </a>
      </div>
    </div>
  );
}
