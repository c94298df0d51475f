import "server-only";
import type { ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import { type Land, type LandDetail, loadLand } from "@/components/chart/land";
import { detailFor } from "@/components/chart/land-detail";
import { processWide } from "@/lib/kernel/process-wide";

const loaded = () => processWide("land", () => new Map<LandDetail, Promise<Land>>());

/** The land outlines drawn below a map's points, read once; undefined for other charts. */
export async function landOf(spec: ChartSpec, rows: readonly ChartRow[]): Promise<Land | undefined> {
  if (spec.kind !== "map") return undefined;
  const detail = detailFor(spec, rows);
  const land = loaded().get(detail) ?? loadLand(detail);
  loaded().set(detail, land);
  return await land;
}
