"use client";

import type { KeyboardEvent, PointerEvent } from "react";
import type { Column } from "@/lib/schemas/column";
import { type BinRange, edgeText } from "./bins";

interface Props {
  end: "low" | "high";
  column: Column;
  range: BinRange;
  bins: number;
  height: number;
  foot: number;
  /** The range with this end moved. */
  onMove: (range: BinRange) => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
  Home: -1000,
  End: 1000,
};

/** One end of a range: dragged, or moved by arrow keys from edge to edge. */
export function BrushHandle({ end, column, range, bins, height, foot, onMove }: Props) {
  const edge = end === "low" ? range.first : range.last + 1;
  const moveTo = (wanted: number) => {
    if (end === "low") onMove({ ...range, first: Math.max(0, Math.min(range.last, wanted)) });
    else onMove({ ...range, last: Math.max(range.first, Math.min(bins, wanted) - 1) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveTo(Math.max(0, Math.min(bins, edge + step)));
  };
  const onPointerMove = (event: PointerEvent<SVGElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.closest(".brush-plot")?.getBoundingClientRect();
    if (box) moveTo(Math.round(((event.clientX - box.left) / box.width) * bins));
  };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it only places what has a name.
    <svg x={`${Math.round((edge / bins) * 10_000) / 100}%`} className="brush-place">
      <g
        className="brush-handle"
        role="slider"
        tabIndex={0}
        aria-label={`${end === "low" ? "Lower" : "Upper"} end of ${column.name}`}
        aria-valuemin={0}
        aria-valuemax={bins}
        aria-valuenow={edge}
        aria-valuetext={edgeText(column.profile.histogram?.edges[edge], column)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      >
        <rect className="brush-grip-area" x="-12" y="0" width="24" height={height + foot} />
        <path d={`M0 0V${height}`} />
        <rect className="brush-grip" x="-5" y={height - 8} width="10" height="18" rx="3" />
      </g>
    </svg>
  );
}
