"use client";

import { Notice } from "@/components/ui/notice";
import type { AddressFault } from "./view-address";

/** What of the address could not be shown, each part with its reason. */
export function AddressFaults({ faults, onDrop }: { faults: readonly AddressFault[]; onDrop: () => void }) {
  if (faults.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warning"
        title={faults.length === 1 ? "A part of the address was left out" : "Parts of the address were left out"}
      >
        <ul className="mt-1 list-disc pl-5">
          {faults.map(({ parameter, text, message }) => (
            <li key={`${parameter}:${text}`}>
              <code className="wrap-anywhere">
                {parameter}={text}
              </code>
              : {message}
            </li>
          ))}
        </ul>
        <button type="button" className="button button-small needs-script mt-2" onClick={onDrop}>
          Take it out of the address
        </button>
      </Notice>
    </div>
  );
}
