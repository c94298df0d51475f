"use client";

import { useEffect, useState } from "react";
import type { ChartRow, ChartSpec } from "./chart-spec";
import type { Land, LandDetail } from "./land";
import { detailFor } from "./land-detail";

/** The land outlines of a map, loaded on demand; undefined for other charts, and until they are loaded. */
export function useLand(spec: ChartSpec, rows: readonly ChartRow[]): Land | undefined {
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
