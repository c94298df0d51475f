import { type GeoPermissibleObjects, geoEquirectangular, geoMercator, geoPath } from "d3-geo";
import type { MultiLineString } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { MapFrame } from "./map-frame";

/** Outlines that maps are drawn on, as SVG paths within a map's frame. */
export interface Land {
  paths: (frame: MapFrame) => { land: string; borders: string };
}

/** The detail of outlines: for the entire world, or for a part of it. */
export type LandDetail = "world" | "region";

/** Loads outlines of land and borders of countries; for a part of the world, also borders of US states. */
export async function loadLand(detail: LandDetail): Promise<Land> {
  if (detail === "world") return landOf((await import("world-atlas/countries-110m.json")).default as never, []);
  const [countries, states] = await Promise.all([
    import("world-atlas/countries-50m.json"),
    import("us-atlas/states-10m.json"),
  ]);
  return landOf(countries.default as never, [bordersOf(states.default as never, "states")]);
}

type Atlas = Topology<Record<string, GeometryCollection>>;

function landOf(atlas: Atlas, borders: readonly MultiLineString[]): Land {
  const { land } = atlas.objects;
  if (!land) throw new Error("the atlas has no land");
  const lines = [bordersOf(atlas, "countries"), ...borders];
  return { paths: (frame) => pathsIn(frame, feature(atlas, land), lines) };
}

/** Lines between two areas. Coasts belong to the land's outlines. */
function bordersOf(atlas: Atlas, name: string): MultiLineString {
  const areas = atlas.objects[name];
  if (!areas) throw new Error(`the atlas has no ${name}`);
  return mesh(atlas, areas, (one, other) => one !== other);
}

function pathsIn(
  { plot, projection: { isMercator, scale, translate } }: MapFrame,
  land: GeoPermissibleObjects,
  borders: readonly MultiLineString[],
): { land: string; borders: string } {
  const draw = geoPath(
    (isMercator ? geoMercator() : geoEquirectangular())
      .scale(scale)
      .translate([...translate])
      .clipExtent([
        [plot.left, plot.top],
        [plot.left + plot.width, plot.top + plot.height],
      ])
      .precision(0.5),
  ).digits(1);
  return { land: draw(land) ?? "", borders: borders.map((lines) => draw(lines) ?? "").join("") };
}
