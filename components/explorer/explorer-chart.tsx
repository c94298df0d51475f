"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { orNotLoaded } from "@/components/ui/not-loaded";
import type { ChartText } from "./chart/chart-text";
import type { ExplorerState } from "./use-explorer";

const ChartPanel = lazy(async () => ({
  default: await orNotLoaded(import("./chart-panel").then((module) => module.ChartPanel)),
}));

interface Props {
  state: ExplorerState;
  /** The chart of the page's first view, where the server has made it. */
  first: ChartText | undefined;
  /** The same chart, drawn by the server for browsers without JavaScript. */
  still: ReactNode;
  /** Its room, until the code that draws it has loaded. */
  room: ReactNode;
}

/** The chart of the view, which has its own queries. */
export function ExplorerChart({ state, first, still, room }: Props) {
  const { chart } = state.view;
  if (!chart) return null;
  const waits = room ?? <ChartWaits isMap={chart.kind === "map"} />;
  return (
    <section aria-label="Chart" className="explorer-chart">
      <noscript>{still}</noscript>
      <Suspense fallback={waits}>
        <ChartPanel state={state} first={first} waits={waits} />
      </Suspense>
    </section>
  );
}

/** The room of a chart whose data are not known yet; a map is higher. */
const ChartWaits = ({ isMap }: { isMap: boolean }) => (
  <p className={`chart-waits needs-script ${isMap ? "chart-waits-map" : ""}`}>Drawing…</p>
);
