"use client";

import { X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import type { NearDraft } from "./near-draft";

interface Props {
  draft: NearDraft;
  /** Whether rows have an order, which groups have not. */
  hasRows: boolean;
  isFocused: boolean;
  fault: string | undefined;
  onChange: (draft: NearDraft) => void;
  onRemove: () => void;
}

/** A place, and how far from it rows may be. */
export function NearFields({ draft, hasRows, isFocused, fault, onChange, onRemove }: Props) {
  const faultId = useId();
  const place = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field takes the focus once, when it appears.
  useEffect(() => {
    if (isFocused) place.current?.focus();
  }, []);
  return (
    <fieldset className="mt-3 min-w-0">
      <legend className="sr-only">Near a place</legend>
      <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
        <label className="flex items-center gap-2">
          Within
          <input
            className="field w-24"
            inputMode="decimal"
            autoComplete="off"
            value={draft.km}
            placeholder="any"
            onChange={(event) => onChange({ ...draft, km: event.target.value.trim() })}
          />
          km
        </label>
        <div className="flex min-w-0 basis-full items-center gap-2 sm:basis-80">
          <label className="flex min-w-0 flex-1 items-center gap-2">
            of
            <input
              ref={place}
              className="field min-w-0"
              aria-label="Latitude, longitude"
              autoComplete="off"
              spellCheck={false}
              placeholder="40.7128, -74.006"
              value={draft.place}
              aria-invalid={fault !== undefined || undefined}
              aria-describedby={faultId}
              onChange={(event) => onChange({ ...draft, place: event.target.value })}
            />
          </label>
          <button type="button" className="icon-button" aria-label="Remove the place" onClick={onRemove}>
            <X size={16} aria-hidden="true" />
          </button>
        </div>
        {hasRows && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={draft.isFirst}
              onChange={(event) => onChange({ ...draft, isFirst: event.target.checked })}
            />
            Nearest first
          </label>
        )}
      </div>
      <p id={faultId} role="alert" className="mt-1 text-danger text-sm empty:hidden">
        {fault}
      </p>
    </fieldset>
  );
}
