"use client";

import { ZoomOut } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ChartNotes, StillDrawings } from "./chart";
import { ChartLegends } from "./chart-legend";
import { ChartReader } from "./chart-reader";
import { ChartSave } from "./chart-save";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { headingOf } from "./chart-text";
import { drawChart } from "./draw-chart";
import type { Land, LandDetail } from "./land";
import { detailFor } from "./land-detail";
import type { ChartCaption } from "./save-chart";
import type { RangeActions } from "./use-range";

const STILL_WIDTH = 800;

interface Props {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** The author's title; without one, the chart is named after its columns. */
  title?: string | undefined;
  /** How much of the result is drawn, shown above the chart on the page and in files. */
  extent: string;
  notes: readonly string[];
  /** Called with the row of a mark that is clicked, or opened by keyboard. */
  onSelect?: ((row: ChartRow) => void) | undefined;
  onRange?: RangeActions | undefined;
  /** The caption of a saved file; without it, nothing can be saved. */
  caption?: ChartCaption | undefined;
}

/** A chart in the browser: as wide as its container, with exact values at the pointer or by arrow keys. */
export function LiveChart({ spec, columns, rows, title, extent, notes, onSelect, onRange, caption }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const land = useLand(spec, rows);
  const drawing = useMemo(
    () => drawChart(spec, columns, rows, width ?? STILL_WIDTH, land),
    [spec, columns, rows, width, land],
  );
  const isDrawn = "name" in drawing;
  return (
    <figure className="chart">
      {isDrawn && (
        <>
          <figcaption className="chart-heading">
            <b>{title ?? headingOf(drawing.name)}</b> <span className="chart-extent">{extent}</span>
          </figcaption>
          <ChartLegends drawing={drawing} label={spec.series} kind={spec.kind} />
        </>
      )}
      <div ref={box} className="chart-box">
        {!isDrawn && <p className="chart-problem">{drawing.problem}</p>}
        {isDrawn && width === undefined && (
          <StillDrawings spec={spec} columns={columns} rows={rows} land={land} fit="boxed" />
        )}
        {isDrawn && width !== undefined && (
          <ChartReader
            drawing={drawing}
            onSelect={onSelect && ((row) => rows[row] && onSelect(rows[row]))}
            onRange={onRange}
          />
        )}
      </div>
      <WholeRange onWhole={onRange?.onWhole} />
      {isDrawn && (
        <>
          <ChartNotes notes={[...notes, ...drawing.notes]} />
          <ChartHint
            texts={[
              onRange && drawing.x && `Drag over a part of the ${spec.kind === "map" ? "map" : "chart"} to zoom in.`,
              onSelect && "Select a value to see the rows behind it.",
            ]}
          />
          <ChartSave caption={caption} columns={columns} rows={rows} />
        </>
      )}
    </figure>
  );
}

function WholeRange({ onWhole }: Pick<RangeActions, "onWhole">) {
  if (!onWhole) return null;
  return (
    <button type="button" className="button button-small chart-whole needs-script" onClick={onWhole}>
      <ZoomOut size={14} aria-hidden="true" /> Show full range
    </button>
  );
}

/** What the reader can do with the chart here but not in a saved file. */
function ChartHint({ texts }: { texts: readonly (string | undefined)[] }) {
  const shown = texts.filter((text) => text !== undefined);
  return shown.length > 0 && <p className="chart-hint needs-script">{shown.join(" ")}</p>;
}

/** The land outlines of a map, loaded on demand; undefined for other charts, and until they are loaded. */
function useLand(spec: ChartSpec, rows: readonly ChartRow[]): Land | undefined {
  const detail = spec.kind === "map" ? detailFor(spec, rows) : undefined;
  const [loaded, setLoaded] = useState<{ detail: LandDetail; land: Land }>();
  useEffect(() => {
    if (!detail) return;
    let isCurrent = true;
    const load = async () => {
      const { loadLand } = await import("./land");
      const land = await loadLand(detail);
      if (isCurrent) setLoaded({ detail, land });
    };
    void load().catch(() => undefined); // without them, points are shown on a grid of degrees
    return () => {
      isCurrent = false;
    };
  }, [detail]);
  return detail && loaded?.land;
}

/** The width of an element in whole pixels; undefined until the browser has laid it out. */
function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number | undefined] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width) || undefined);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
