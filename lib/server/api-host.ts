import { type Failure, fail } from "@/lib/kernel/errors";

const HOSTED = /^\/api\/v2\/tables\/[^/]+\/(?:current|freshness)$/;

export interface ApiHostSettings {
  PARQUETRY_API_BASE_URL?: string | undefined;
  PARQUETRY_BASE_URL?: string | undefined;
}

/** Whether a request arrived at the hosted table API's own host, if it has one. */
function isAtApiHost(
  host: string | undefined,
  { PARQUETRY_API_BASE_URL: api, PARQUETRY_BASE_URL: base }: ApiHostSettings,
): boolean {
  if (api === undefined || host === undefined) return false;
  const own = new URL(api);
  if (base !== undefined && new URL(base).host === own.host) return false;
  const requested = `${own.protocol}//${host}`;
  return URL.canParse(requested) && new URL(requested).host === own.host;
}

/** The failure for everything that the hosted table API's host does not serve; undefined elsewhere. Pure. */
export function notAtApiHost(host: string | undefined, path: string, settings: ApiHostSettings): Failure | undefined {
  const has = path === "/healthz" || HOSTED.test(path) || !isAtApiHost(host, settings);
  return has ? undefined : fail("not_found", { message: MESSAGE });
}

const MESSAGE = "This host serves only the hosted table API: GET /api/v2/tables/{table_id}/current and …/freshness.";
