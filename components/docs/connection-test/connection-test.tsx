"use client";

import { PlugZap } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { orNotLoaded } from "@/components/ui/not-loaded";

const TestForm = dynamic(() => orNotLoaded(import("./test-form").then(({ TestForm: form }) => form)), {
  ssr: false,
  loading: () => <p className="text-muted text-sm">One moment…</p>,
});

/** A button that loads the connection test; a URL that selects a test loads it immediately. */
export function ConnectionTest(place: { base: string; tableId: string | undefined }) {
  const [isOpen, setOpen] = useState<"by hand" | "by address">();
  useEffect(() => {
    if (new URLSearchParams(location.search).has("test")) setOpen("by address");
  }, []);
  return (
    <div className="needs-script">
      {isOpen ? (
        <TestForm {...place} takesFocus={isOpen === "by hand"} />
      ) : (
        <button type="button" className="button button-primary" onClick={() => setOpen("by hand")}>
          <PlugZap size={16} aria-hidden="true" />
          Choose a test
        </button>
      )}
    </div>
  );
}
