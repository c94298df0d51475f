"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { orNotLoaded } from "@/components/ui/not-loaded";
import type { ChartText } from "./chart/chart-text";
import type { ExplorerState } from "./use-explorer";

const ChartPanel = dynamic(() => orNotLoaded(import("./chart-panel").then((module) => module.ChartPanel)), {
  loading: () => <p className="chart-waits needs-script">Drawing…</p>,
});

interface Props {
  state: ExplorerState;
  /** The chart of the page's first view, where the server has made it. */
  first: ChartText | undefined;
  /** The same chart, drawn by the server for browsers without JavaScript. */
  still: ReactNode;
}

/** The chart of the view, which has its own queries. */
export function ExplorerChart({ state, first, still }: Props) {
  if (!state.view.chart) return null;
  return (
    <section aria-label="Chart" className="explorer-chart">
      <noscript>{still}</noscript>
      <ChartPanel state={state} first={first} />
    </section>
  );
}
