"use client";

import { type PointerEvent, useRef, useState } from "react";
import type { Drawing, Mark } from "./drawing";
import type { Span } from "./position-scale";

/** A part of a chart, in the values of its axes; only x for lines and histograms. */
export interface AxisRange {
  x?: Span;
  y?: Span;
}

/** What selecting a part of a chart does. */
export interface RangeActions {
  onChoose: (range: AxisRange) => void;
  /** Resets to the full range; absent if all of it is drawn. */
  onWhole?: (() => void) | undefined;
}

/** A rectangle in the picture. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A pointer that moves less than this is a click. */
const DRAG_MIN = 6;

type Place = readonly [x: number, y: number];

/** How a part of a chart is chosen: by dragging, or from one mark to another. */
export function useRange(drawing: Drawing, actions: RangeActions | undefined) {
  const [box, setShown] = useState<Box>();
  // a quick drag ends before its last movement is rendered
  const latest = useRef<Box>(undefined);
  const setBox = (next: Box | undefined) => {
    latest.current = next;
    setShown(next);
  };
  const start = useRef<Place>(undefined);
  const isDragged = useRef(false);
  const mayChoose = actions !== undefined && drawing.x !== undefined;
  const drop = () => {
    start.current = undefined;
    setBox(undefined);
  };
  const choose = (chosen: Box | undefined) => {
    drop();
    const range = chosen && rangeOf(drawing, chosen);
    if (range) actions?.onChoose(range);
  };
  return {
    box,
    mayChoose,
    drop,
    /** Whether the last press was a drag, whose click event must be ignored. */
    wasDragged: () => isDragged.current,
    choose: () => choose(latest.current),
    from: (one: Mark | undefined, other: Mark | undefined) =>
      setBox(mayChoose && one && other ? boxOf(drawing, edgesOf(one, other)) : undefined),
    pointer: {
      onDown: (event: PointerEvent) => {
        isDragged.current = false;
        if (mayChoose && event.button === 0) start.current = placeOf(event);
      },
      onMove: (event: PointerEvent): boolean => {
        const from = start.current;
        if (!from) return false;
        const to = placeOf(event);
        const isFar = Math.abs(to[0] - from[0]) > DRAG_MIN || (drawing.y && Math.abs(to[1] - from[1]) > DRAG_MIN);
        if (!isFar && !isDragged.current) return false;
        if (!isDragged.current) event.currentTarget.setPointerCapture(event.pointerId);
        isDragged.current = true;
        setBox(boxOf(drawing, [from, to]));
        return true;
      },
      onUp: () => {
        if (isDragged.current) choose(latest.current);
        else drop();
      },
    },
  };
}

function placeOf({ clientX, clientY, currentTarget }: PointerEvent): Place {
  const { left, top } = currentTarget.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/** Marks that are closer together than this still form a range. */
const RANGE_MIN = 2;

/** From one mark to another, including both completely. */
function edgesOf(one: Mark, other: Mark): readonly [Place, Place] {
  const [a, b] = [areaOf(one), areaOf(other)];
  const [left, top] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  const room = Math.max(0, RANGE_MIN - (right - left)) / 2;
  return [
    [left - room, top],
    [right + room, bottom],
  ];
}

/** A point is as large as it is drawn. */
const areaOf = (mark: Mark): Mark["hit"] => (mark.shape === "point" ? mark.hit : mark);

/** The rectangle between two points, within the plot; of full height if only x is selected. */
function boxOf({ plot, y }: Drawing, [from, to]: readonly [Place, Place]): Box {
  const within = (value: number, low: number, length: number) => Math.max(low, Math.min(low + length, value));
  const xs = [from[0], to[0]].map((value) => within(value, plot.left, plot.width));
  const left = Math.min(...xs);
  const width = Math.max(...xs) - left;
  if (!y) return { left, top: plot.top, width, height: plot.height };
  const ys = [from[1], to[1]].map((value) => within(value, plot.top, plot.height));
  const top = Math.min(...ys);
  return { left, top, width, height: Math.max(...ys) - top };
}

/** The values of the axes at a rectangle's edges. */
function rangeOf({ x, y }: Drawing, { left, top, width, height }: Box): AxisRange | undefined {
  if (!x || width < 1) return undefined;
  const values = y && [y.value(top), y.value(top + height)];
  return {
    x: [x.value(left), x.value(left + width)],
    ...(values && height >= 1 && { y: [Math.min(...values), Math.max(...values)] as const }),
  };
}
