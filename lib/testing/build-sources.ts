import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { tar } from "@/lib/kernel/tar";

/** The media types of mime-db 1.54.0, as its package has them. */
export const MEDIA_TYPES = readFileSync(createRequire(import.meta.url).resolve("mime-db-1-54/db.json"));

/** A table as published by an office: title lines, two header rows, blocks, subtotals, marks and footnotes. */
export const OFFICE = `Statistisches Amt der Beispielregion;;;;;
Arbeitslose nach Gemeinde, Stand 31.10.2026;;;;;
;;;;;
Gemeinde;Kreis;2025;;2026;
;;Männer;Frauen;Männer;Frauen ¹)
Musterstadt;Nordkreis;1 234;1 101;1.250 p;1 090 p
Beispielheim;;987;—;(12);.
Zusammen;;2 221;1 101;1.262;1 090
Probedorf;Südkreis;45;51;44 p;49 p
;;;;;
¹) einschließlich ohne Angabe
Quelle: eigene Erhebung
`;

export interface AirReading {
  id: number;
  location: { code: string };
  date: { utc: string };
  value: number;
  unit: string;
}

const FIRST_MS = Date.parse("2026-10-23T23:00:00Z");
const HOUR_MS = 3_600_000;
const HOURS = 73;

/** Hourly values of three days in Lisbon, one with 25 hours; one duplicate row, one negative value, one other unit. */
export const AIR_READINGS: readonly AirReading[] = [
  ...["LX1", "LX2"].flatMap((code, station) =>
    Array.from({ length: code === "LX2" ? HOURS - 10 : HOURS }, (_, hour) => ({
      id: station * 1000 + hour,
      location: { code },
      date: { utc: new Date(FIRST_MS + hour * HOUR_MS).toISOString().replace(".000Z", "Z") },
      value: ((hour * 7 + station * 13) % 50) + 0.125,
      unit: hour % 2 === 0 ? "µg/m³" : "ug/m3",
    })),
  ),
  { id: 3, location: { code: "LX1" }, date: { utc: "2026-10-24T02:00:00Z" }, value: 21.125, unit: "ug/m3" },
  { id: 9001, location: { code: "LX1" }, date: { utc: "2026-10-24T03:00:00Z" }, value: -999, unit: "µg/m³" },
  { id: 9002, location: { code: "LX2" }, date: { utc: "2026-10-24T03:00:00Z" }, value: 3, unit: "ppm" },
];

const STATIONS = {
  stations: [
    { code: "LX1", name: "Lisboa Centro", country: { iso2: "PT" }, position: { lat: 38.72, lon: -9.14 } },
    { code: "LX2", name: "Lisboa Norte", country: { iso2: "PT" }, position: { lat: 38.77, lon: -9.16 } },
  ],
};

/** A registry, an office and an API on one loopback port. */
export async function startBuildSources() {
  const server: Server = createServer((request, reply) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const answer = answers[url.pathname] ?? ((missing: ServerResponse) => missing.writeHead(404).end());
    answer(reply, url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, origin: `http://${host}`, close: () => void server.close() };
}

const tarball = gzipSync(tar([["package/db.json", MEDIA_TYPES]]), { level: 1 });

const answers: Readonly<Record<string, (reply: ServerResponse, query: URLSearchParams) => unknown>> = {
  "/mime-db": (reply) => reply.end(JSON.stringify(metadata())),
  "/mime-db/-/mime-db-1.54.0.tgz": (reply) => reply.end(tarball),
  "/arbeitsmarkt/arbeitslose_gemeinden.csv": (reply) =>
    reply.writeHead(200, { "content-type": "text/csv" }).end(iconv.encode(OFFICE, "windows-1252")),
  "/v2/stations.json": (reply) => reply.end(JSON.stringify(STATIONS)),
  "/v2/measurements": (reply, query) => {
    const [page, size] = [Number(query.get("page")), Number(query.get("limit"))];
    const results = AIR_READINGS.slice((page - 1) * size, page * size);
    reply.end(JSON.stringify({ meta: { found: AIR_READINGS.length }, results }));
  },
};

function metadata() {
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: "https://registry.example.org/mime-db/-/mime-db-1.54.0.tgz", integrity };
  return { "dist-tags": { latest: "1.54.0" }, versions: { "1.54.0": { dist } } };
}
