import { earthquakeColumns } from "./earthquakes-2018-columns";
import { earthquakesRecipe } from "./earthquakes-2018-recipe";
import { writeNdjson } from "./ndjson-file";
import { packageJson } from "./package-file";
import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaVersion } from "./vega-datasets";

interface Quake {
  id: string;
  geometry: { coordinates: [number, number, number] };
  properties: QuakeProperties;
}

type QuakeProperties = Record<
  "place" | "url" | "detail" | "status" | "net" | "code" | "ids" | "sources" | "types" | "magType" | "type" | "title",
  string
> &
  Record<"mag" | "time" | "updated" | "tz" | "tsunami" | "sig", number> &
  Record<"felt" | "cdi" | "mmi" | "nst" | "dmin" | "rms" | "gap", number | null> & { alert: string | null };

const instant = (epochMs: number): string => new Date(epochMs).toISOString();

/** The feed's lists are text with a comma at both ends: ",ci,us,". */
const listOf = (text: string): string[] => text.split(",").filter(Boolean);

function toRow({ id, geometry, properties: quake }: Quake): object {
  const [longitude, latitude, depth] = geometry.coordinates;
  return {
    id,
    time: instant(quake.time),
    updated: instant(quake.updated),
    tz: quake.tz,
    longitude,
    latitude,
    depth,
    mag: quake.mag,
    mag_type: quake.magType,
    place: quake.place,
    title: quake.title,
    type: quake.type,
    status: quake.status,
    tsunami: quake.tsunami === 1,
    sig: quake.sig,
    felt: quake.felt,
    cdi: quake.cdi,
    mmi: quake.mmi,
    alert: quake.alert,
    nst: quake.nst,
    dmin: quake.dmin,
    rms: quake.rms,
    gap: quake.gap,
    net: quake.net,
    code: quake.code,
    ids: listOf(quake.ids),
    sources: listOf(quake.sources),
    types: listOf(quake.types),
    url: quake.url,
    detail: quake.detail,
  };
}

const ORIGIN = {
  name: "USGS earthquake feed, all events of the past week",
  url: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php",
};

const DESCRIPTION = `One week of seismic events of all magnitudes, worldwide, as the US Geological Survey's real-time \
feed listed them on 7 February 2018.

## How it was collected

USGS collects what regional networks and its own detect, and publishes it as GeoJSON feeds within minutes. This is the \
feed "all earthquakes, past week", taken at 01:49:14 UTC: 1,707 events from 31 January 01:49:59 to 7 February 01:26:13 \
UTC, from 12 contributing networks. Point and properties of each feature are laid out as columns; epoch milliseconds \
became timestamps, comma-delimited strings became lists, and \`tsunami\` became a boolean.

## What to know before using it

- The feed is most complete for the United States: networks in California, Alaska and Nevada report events of \
magnitude 1 and less, while elsewhere most have a magnitude of 4 or more. 85 events reach 4.5.
- The largest is the magnitude 6.4 earthquake near Hualien, Taiwan, on 6 February.
- 28 events are not earthquakes: 15 explosions and 13 quarry blasts.
- 44 magnitudes and 43 depths are below zero. Both are real: very small events, and origins above sea level.
- There are seven kinds of magnitude (\`mag_type\`), which are not strictly comparable.
- Nobody felt or reported most events: \`felt\` and \`cdi\` are null for 1,580, \`mmi\` for 1,691, \`alert\` for 1,695 \
(all others are green). \`nst\`, \`dmin\`, \`gap\` and \`rms\` are null where the network does not give them.
- 493 events were automatic detections that no person had reviewed yet; USGS will have corrected some since. \
\`updated\` is the state at the time of the snapshot.
- The catalogue of the vega-datasets package mentions 1,703 events; the file contains 1,707, as its own header says.

## What it is good for

Maps and depth sections, magnitude statistics, timestamps with milliseconds, columns full of nulls and columns of \
lists.`;

/** A week of USGS seismic events, January and February 2018. */
export const earthquakes2018: Showcase = {
  dataset: {
    slug: "earthquakes-2018",
    title: "Earthquakes, a week in 2018",
    summary:
      "1,707 seismic events of all magnitudes from the USGS feed of 31 January to 7 February 2018, with place, " +
      "depth, magnitude and quality.",
    description: DESCRIPTION,
    publisher: { name: "US Geological Survey", url: "https://www.usgs.gov" },
    license: "US public domain",
    topics: ["earth science", "geography", "time series"],
    sources: [ORIGIN, VEGA_SOURCE],
    temporalCoverage: "2018-01-31T01:49:59.650Z/2018-02-07T01:26:13.840Z",
  },
  tables: [
    {
      slug: "events",
      name: "Events",
      description: "One row per seismic event, ordered by time.",
      columns: earthquakeColumns,
      orderBy: ["time"],
      primaryKey: ["id"],
      versions: [
        vegaVersion("earthquakes.json", async (workDir) => {
          const feed = await packageJson<{ features: Quake[] }>("vega-datasets", "data/earthquakes.json");
          return writeNdjson(workDir, "earthquakes-3.2.1", feed.features.map(toRow));
        }),
      ],
    },
  ],
  recipe: earthquakesRecipe(ORIGIN),
};
