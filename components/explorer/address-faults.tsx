"use client";

import { Notice } from "@/components/ui/notice";
import type { AddressFault } from "./view/view-address";

const TEXT_MAX = 200;

/** What of the address could not be shown, each part with its reason. */
export function AddressFaults({ faults, onDrop }: { faults: readonly AddressFault[]; onDrop: () => void }) {
  if (faults.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warning"
        title={faults.length === 1 ? "Part of this link was ignored" : "Parts of this link were ignored"}
      >
        <ul className="mt-1 list-disc pl-5">
          {faults.map(({ parameter, text, message }) => (
            <li key={`${parameter}:${text}`}>
              <code className="wrap-anywhere">
                {parameter}={text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}
              </code>
              : {message}
            </li>
          ))}
        </ul>
        <button type="button" className="button button-small needs-script mt-2" onClick={onDrop}>
          Remove {faults.length === 1 ? "it" : "them"} from the link
        </button>
      </Notice>
    </div>
  );
}
