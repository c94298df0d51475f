"use client";

import { Button, LinkButton } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";

/**
 * What stands in the place of a page that failed on the way from another; failing from the start, it is the listener's
 * own page.
 */
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <div className="page py-16 sm:py-20">
      <h1 className="mb-6 text-3xl">This page could not be made</h1>
      <ErrorState
        title="Something failed on our side"
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
          Nothing of yours is lost: try again in a moment. If it persists, tell whoever runs this service, with the code
          below.
        </p>
      </ErrorState>
    </div>
  );
}
