"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import { ChartSvg } from "./chart-svg";
import { factsText } from "./chart-text";
import { ChartTip, MarkSign } from "./chart-tip";
import type { Drawing } from "./drawing";
import { findMark, markAfter } from "./find-mark";
import { type RangeActions, useRange } from "./use-range";

interface Props {
  drawing: Drawing & { name: string };
  /** Called with the index of a mark's row. */
  onSelect?: ((row: number) => void) | undefined;
  onRange?: RangeActions | undefined;
}

/** The chart, with values read at the pointer or by arrow keys, and a range selected by dragging or with Shift. */
export function ChartReader({ drawing, onSelect, onRange }: Props) {
  const [at, setAt] = useState<number>();
  const [last, setLast] = useState(0);
  const [anchor, setAnchor] = useState<number>();
  const range = useRange(drawing, onRange);
  const { marks } = drawing;
  const read = Math.min(last, marks.length - 1);
  const show = (next: number | undefined) => {
    setAt(next);
    if (next !== undefined) setLast(next);
  };
  // on a touch screen, the first tap reads a mark's values and the second opens its rows
  const isMeant = useRef(false);
  const selected = (index: number | undefined) => {
    const row = index === undefined ? undefined : marks[index]?.row;
    if (row !== undefined) onSelect?.(row);
  };
  const extend = (next: number) => {
    const from = anchor ?? at ?? read;
    setAnchor(from);
    range.from(marks[from], marks[next]);
  };
  const drop = () => {
    setAnchor(undefined);
    range.drop();
  };
  const enter = () => {
    if (anchor === undefined) return selected(at);
    setAnchor(undefined);
    range.choose();
  };
  const step = (event: KeyboardEvent, next: number) => {
    event.preventDefault();
    if (event.shiftKey && range.mayChoose) extend(next);
    else drop();
    show(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = markAfter(event.key, at ?? last, marks.length);
    if (next !== undefined) step(event, next);
    else if (event.key === "Escape") range.box ? drop() : show(undefined);
    else if (event.key === "-") onRange?.onWhole?.();
    else if (event.key === "Enter") enter();
  };
  const texts = [onSelect && "Enter shows the rows behind one.", range.mayChoose && "Shift and arrow keys zoom."];
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={[`${drawing.name}. Arrow keys read its values.`, ...texts.filter(Boolean)].join(" ")}
      aria-valuemin={1}
      aria-valuemax={marks.length}
      aria-valuenow={read + 1}
      aria-valuetext={valueText(drawing, read, anchor)}
      className={onSelect ? "chart-reader chart-selects" : "chart-reader"}
      onPointerMove={(event) => show(range.pointer.onMove(event) ? undefined : pointedAt(event, drawing))}
      onPointerDown={(event) => {
        setAnchor(undefined);
        range.pointer.onDown(event);
        const pointed = pointedAt(event, drawing);
        isMeant.current = event.pointerType === "mouse" || pointed === at;
        show(pointed);
      }}
      onPointerUp={range.pointer.onUp}
      onPointerCancel={range.drop}
      onPointerLeave={(event) => event.pointerType === "mouse" && show(undefined)}
      onClick={(event) => !range.wasDragged() && isMeant.current && selected(pointedAt(event, drawing))}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && show(read)}
      onBlur={() => {
        drop();
        show(undefined);
      }}
      onKeyDown={onKeyDown}
    >
      <ChartSvg drawing={drawing} fit="own" />
      {(at !== undefined || range.box) && (
        <svg aria-hidden="true" className="chart-signs" width={drawing.width} height={drawing.height}>
          {range.box && (
            <rect
              className="chart-range"
              x={range.box.left}
              y={range.box.top}
              width={range.box.width}
              height={range.box.height}
            />
          )}
          {at !== undefined && <MarkSign drawing={drawing} at={at} />}
        </svg>
      )}
      {at !== undefined && <ChartTip drawing={drawing} at={at} />}
    </div>
  );
}

/** The text that is read for a mark; with a second mark, for the range between both. */
function valueText({ marks }: Drawing, at: number, anchor: number | undefined): string | undefined {
  const mark = marks[at];
  if (!mark) return undefined;
  const from = anchor === undefined || anchor === at ? undefined : marks[anchor]?.facts[0]?.value;
  const text = factsText(mark.facts);
  return from === undefined ? text : `From ${from} to ${mark.facts[0]?.value}. Enter zooms in. ${text}`;
}

function pointedAt(
  event: { clientX: number; clientY: number; currentTarget: Element },
  drawing: Drawing,
): number | undefined {
  const box = event.currentTarget.getBoundingClientRect();
  return findMark(drawing, event.clientX - box.left, event.clientY - box.top);
}
