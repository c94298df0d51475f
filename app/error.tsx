"use client";

import { Button, LinkButton } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";

/**
 * Replaces a page that failed during client-side navigation. On the first load, the HTTP server's own error page is
 * shown.
 */
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <div className="page py-16 sm:py-20">
      <h1 className="mb-6 text-3xl">This page failed to load</h1>
      <ErrorState
        title={error.digest ? "Something went wrong on our side" : "Something went wrong in this browser"}
        reference={error.digest && { name: "Code", text: error.digest }}
        action={
          <>
            <Button look="primary" onClick={retry}>
              Try again
            </Button>
            <LinkButton href="/">Home</LinkButton>
          </>
        }
      >
        <p>
          {error.digest
            ? "Your data is safe. Try again in a moment. If this keeps happening, send the code below to your " +
              "administrator."
            : "Check your connection, then try again."}
        </p>
      </ErrorState>
    </div>
  );
}
