import type { Metadata } from "next";
import { NeedsScript } from "@/components/form/needs-script";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { TellTest } from "./tell-test";

export const metadata: Metadata = { title: "Connection test", robots: { index: false } };

/**
 * Receives the response to the connection test, passes it to the page that started the test, and removes it from the
 * URL.
 */
export default function TestAnswerPage() {
  return (
    <NarrowPage title="Go back to the test" intro="The response was delivered. You can close this window.">
      <NeedsScript what="Delivering the response" />
      <TellTest />
      <p className="text-muted text-sm">
        Test no longer open?{" "}
        <a className="link" href="/docs/connect?test=sign-in#test">
          Start again
        </a>
        .
      </p>
    </NarrowPage>
  );
}
