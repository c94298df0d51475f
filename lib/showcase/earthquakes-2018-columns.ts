import type { ColumnNote } from "@/lib/schemas/publish";

export const earthquakeColumns: readonly ColumnNote[] = [
  { name: "id", type: "string", description: "Identifier of the event: network and code; unique." },
  { name: "time", type: "timestamp", description: "Time of the event, to the millisecond." },
  { name: "updated", type: "timestamp", description: "When the record was last changed before the snapshot." },
  { name: "tz", type: "int32", description: "Offset of local time at the epicentre from UTC.", unit: "min" },
  {
    name: "longitude",
    type: "float64",
    description: "Longitude of the epicentre, WGS84; negative to the west.",
    unit: "deg",
  },
  {
    name: "latitude",
    type: "float64",
    description: "Latitude of the epicentre, WGS84; negative to the south.",
    unit: "deg",
  },
  { name: "depth", type: "float64", description: "Depth of the origin; negative above sea level.", unit: "km" },
  { name: "mag", type: "float64", description: "Magnitude, on the scale that mag_type names; may be negative." },
  {
    name: "mag_type",
    type: "string",
    description: "How the magnitude was computed: ml, md, mb, mww, mb_lg, mwr or mw.",
  },
  { name: "place", type: "string", description: "Distance and direction from a named place, in English." },
  { name: "title", type: "string", description: "Magnitude and place in one line." },
  { name: "type", type: "string", description: "Kind of event: earthquake, explosion or quarry blast." },
  { name: "status", type: "string", description: "State of the record: automatic, or reviewed by a person." },
  {
    name: "tsunami",
    type: "boolean",
    description:
      "Whether the event was large enough and at sea, so that it links to tsunami information; not a statement that " +
      "there was one.",
  },
  {
    name: "sig",
    type: "int32",
    description: "Significance from 0 to 1,000, derived from magnitude, felt reports and impact.",
  },
  { name: "felt", type: "int32", description: "Number of people who reported feeling it; null if none were counted." },
  { name: "cdi", type: "float64", description: "Greatest reported intensity, 0 to 10, from people's reports." },
  {
    name: "mmi",
    type: "float64",
    description: "Greatest estimated instrumental intensity, 0 to 10, from the shaking map.",
  },
  {
    name: "alert",
    type: "string",
    description: "Level of the impact alert (green, yellow, orange, red); only green occurs.",
  },
  { name: "nst", type: "int32", description: "Number of seismic stations used to locate it." },
  {
    name: "dmin",
    type: "float64",
    description: "Horizontal distance from the epicentre to the nearest station.",
    unit: "deg",
  },
  { name: "rms", type: "float64", description: "Root mean square of the travel time residuals.", unit: "s" },
  {
    name: "gap",
    type: "float64",
    description: "Largest angle between neighbouring stations as seen from the epicentre.",
    unit: "deg",
  },
  {
    name: "net",
    type: "string",
    description: "Network that is the preferred source, such as ci (Southern California) or us.",
  },
  {
    name: "code",
    type: "string",
    description: "Identifier of the event within the network, with leading zeros.",
  },
  { name: "ids", type: "list<string>", description: "Identifiers of the event in all contributing networks." },
  { name: "sources", type: "list<string>", description: "Networks that contributed to the record." },
  { name: "types", type: "list<string>", description: "Kinds of products that USGS has for the event." },
  { name: "url", type: "string", description: "The event's page." },
  { name: "detail", type: "string", description: "The event's GeoJSON document." },
];
