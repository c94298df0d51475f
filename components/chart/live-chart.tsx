"use client";

import { useMemo, useRef, useState } from "react";
import { ChartNotes, type ChartProps, StillDrawings } from "./chart";
import { ChartLegend } from "./chart-legend";
import { ChartSave } from "./chart-save";
import type { ChartRow } from "./chart-spec";
import { ChartSvg } from "./chart-svg";
import { ChartTip, MarkSign } from "./chart-tip";
import { factsText } from "./chart-words";
import { drawChart } from "./draw-chart";
import type { Drawing } from "./drawing";
import { findMark, markAfter } from "./find-mark";
import type { ChartCaption } from "./save-chart";
import { useWidth } from "./use-width";

const STILL_WIDTH = 800;

interface Props extends ChartProps {
  /** Called with the row of a mark that is clicked, or opened by keyboard. */
  onSelect?: ((row: ChartRow) => void) | undefined;
  /** How much of the result is drawn: shown above the chart, here and in files. */
  extent?: string | undefined;
  /** What the reader can do about that; not in files. */
  advice?: string | undefined;
  /** The caption of a saved file; without it, nothing can be saved. */
  caption?: ChartCaption | undefined;
}

/** A chart in the browser: as wide as its container, with exact values at the pointer or by arrow keys. */
export function LiveChart({ spec, columns, rows, note, extent, advice, onSelect, caption }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const drawing = useMemo(() => drawChart(spec, columns, rows, width ?? STILL_WIDTH), [spec, columns, rows, width]);
  const isDrawn = "name" in drawing;
  return (
    <figure className="chart">
      {isDrawn && extent !== undefined && (
        <figcaption className="chart-heading">
          <b>{titleOf(drawing.name)}</b> <span className="chart-extent">{extent}</span>
        </figcaption>
      )}
      {isDrawn && <ChartLegend names={drawing.legend} label={spec.series ?? ""} kind={spec.kind} />}
      <div ref={box} className="chart-box">
        {!isDrawn && <p className="chart-problem">{drawing.problem}</p>}
        {isDrawn && width === undefined && <StillDrawings spec={spec} columns={columns} rows={rows} fit="boxed" />}
        {isDrawn && width !== undefined && (
          <Pointed drawing={drawing} onSelect={onSelect && ((row) => rows[row] && onSelect(rows[row]))} />
        )}
      </div>
      {isDrawn && <ChartNotes notes={[note, ...drawing.notes].filter((text) => text !== undefined)} />}
      {isDrawn && <ChartHint texts={[advice, onSelect && "Select a value to see the rows behind it."]} />}
      {isDrawn && extent !== undefined && <ChartSave caption={caption} />}
    </figure>
  );
}

/** `Line chart: CO2 by Date` → `CO2 by Date`. */
const titleOf = (name: string): string => name.slice(name.indexOf(":") + 1).trim();

/** What the reader can do with the chart here, but not with a file of it. */
function ChartHint({ texts }: { texts: readonly (string | undefined)[] }) {
  const shown = texts.filter((text) => text !== undefined);
  return shown.length > 0 && <p className="chart-hint">{shown.join(" ")}</p>;
}

function Pointed({
  drawing,
  onSelect,
}: {
  drawing: Drawing & { name: string };
  onSelect?: ((row: number) => void) | undefined;
}) {
  const [at, setAt] = useState<number>();
  const [last, setLast] = useState(0);
  const show = (next: number | undefined) => {
    setAt(next);
    if (next !== undefined) setLast(next);
  };
  // on a touch screen, the first tap reads a mark's values and the second opens its rows
  const isMeant = useRef(false);
  const reading = drawing.marks[Math.min(last, drawing.marks.length - 1)];
  const selected = (index: number | undefined) => {
    const row = index === undefined ? undefined : drawing.marks[index]?.row;
    if (row !== undefined) onSelect?.(row);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${drawing.name}. Arrow keys read its values.${onSelect ? " Enter shows the rows behind one." : ""}`}
      aria-valuemin={1}
      aria-valuemax={drawing.marks.length}
      aria-valuenow={Math.min(last, drawing.marks.length - 1) + 1}
      aria-valuetext={reading && factsText(reading.facts)}
      className={onSelect ? "chart-reader chart-selects" : "chart-reader"}
      onPointerMove={(event) => show(pointedAt(event, drawing))}
      onPointerDown={(event) => {
        const pointed = pointedAt(event, drawing);
        isMeant.current = event.pointerType === "mouse" || pointed === at;
        show(pointed);
      }}
      onPointerLeave={(event) => event.pointerType === "mouse" && show(undefined)}
      onClick={(event) => isMeant.current && selected(pointedAt(event, drawing))}
      onFocus={(event) =>
        event.currentTarget.matches(":focus-visible") && show(Math.min(last, drawing.marks.length - 1))
      }
      onBlur={() => show(undefined)}
      onKeyDown={(event) => {
        const next = markAfter(event.key, at ?? last, drawing.marks.length);
        if (next !== undefined) event.preventDefault();
        if (next !== undefined || event.key === "Escape") show(next);
        if (event.key === "Enter") selected(at);
      }}
    >
      <ChartSvg drawing={drawing} fit="own" />
      {at !== undefined && (
        <>
          <svg aria-hidden="true" className="chart-signs" width={drawing.width} height={drawing.height}>
            <MarkSign drawing={drawing} at={at} />
          </svg>
          <ChartTip drawing={drawing} at={at} />
        </>
      )}
    </div>
  );
}

function pointedAt(
  event: { clientX: number; clientY: number; currentTarget: Element },
  drawing: Drawing,
): number | undefined {
  const box = event.currentTarget.getBoundingClientRect();
  return findMark(drawing, event.clientX - box.left, event.clientY - box.top);
}
