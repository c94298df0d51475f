"use client";

import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { orNotLoaded } from "@/components/ui/not-loaded";
import type { TryCall } from "@/lib/docs/try-call";

const TryForm = dynamic(() => orNotLoaded(import("./try-form").then(({ TryForm: form }) => form)), {
  ssr: false,
  loading: () => <p className="text-muted text-sm">One moment…</p>,
});

/** A button that loads the form for calling an operation from the page. */
export function TryIt({ call }: { call: TryCall }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="needs-script">
      {isOpen ? (
        <TryForm call={call} />
      ) : (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          <Play size={15} aria-hidden="true" />
          Try it
        </button>
      )}
    </div>
  );
}
