"use client";

import "./globals.css";

/** Shown if the root layout fails. */
export default function GlobalErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <main className="page py-20">
          <h1 className="text-3xl">This page failed to load</h1>
          <p className="mt-4 max-w-prose text-muted">
            Something went wrong on our side. Your data is safe. Try again in a moment.
          </p>
          {error.digest && (
            <p className="mt-4 text-muted text-sm">
              If this keeps happening, send this code to your administrator:{" "}
              <code className="font-mono text-ink">{error.digest}</code>
            </p>
          )}
          <p className="mt-8">
            <a href="/" className="button">
              Home
            </a>
          </p>
        </main>
      </body>
    </html>
  );
}
