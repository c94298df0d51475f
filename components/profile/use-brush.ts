"use client";

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { BinRange } from "./bins";

/** Delay after a key press, because only the last of several counts. */
const KEYS_REST_MS = 500;

/** How a range of bins is drawn. `onDrawn` is called for each completed range; `isBar` marks a click on one bar. */
export function useBrush(bins: number, onDrawn: (range: BinRange, how: { isBar: boolean }) => void) {
  const [draft, setDraft] = useState<BinRange>();
  const [over, setOver] = useState<number>();
  const start = useRef<number>(undefined);
  const finish = (range: BinRange, isBar: boolean) => {
    setDraft(undefined);
    onDrawn(range, { isBar });
  };
  const rest = useRest(draft, (range) => finish(range, false));
  const drop = () => {
    start.current = undefined;
    setDraft(undefined);
  };
  const plot = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (event.button !== 0 || (event.target as Element).closest('[role="slider"]')) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = binAt(event, bins);
      setDraft({ first: start.current, last: start.current });
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      const at = binAt(event, bins);
      setOver(at);
      if (start.current !== undefined) setDraft(between(start.current, at));
    },
    // from the event, because a quick drag ends before its last movement is rendered
    onPointerUp: (event: PointerEvent<SVGSVGElement>) => {
      const range = start.current === undefined ? undefined : between(start.current, binAt(event, bins));
      start.current = undefined;
      if (range) finish(range, range.first === range.last);
    },
    onPointerCancel: drop,
    onPointerLeave: () => setOver(undefined),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !draft) return;
    event.stopPropagation();
    drop();
  };
  const moveEnd = (range: BinRange) => {
    setDraft(range);
    rest(range);
  };
  return { draft, over, plot, onKeyDown, moveEnd, finish };
}

/** Applies the range once the moved end has come to rest. */
function useRest(draft: BinRange | undefined, take: (range: BinRange) => void): (range: BinRange) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!draft) clearTimeout(timer.current);
  }, [draft]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (range) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(range), KEYS_REST_MS);
  };
}

const between = (one: number, other: number): BinRange => ({
  first: Math.min(one, other),
  last: Math.max(one, other),
});

function binAt(event: PointerEvent<SVGSVGElement>, bins: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return Math.max(0, Math.min(bins - 1, Math.floor(((event.clientX - left) / width) * bins)));
}
