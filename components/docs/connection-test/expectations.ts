import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "@/lib/mcp/protocol-versions";
import type { CredentialForm } from "./credential-form";
import type { Exchange } from "./exchange";
import { codeOf, type Facts, fieldsOf, resultOf, structured } from "./reply-facts";
import type { StepId } from "./steps";

interface Expectation {
  /** Whether a reply is what a client needs. */
  holds(exchange: Exchange, facts: Facts): boolean;
  /** What that means. */
  good(exchanges: readonly Exchange[], facts: Facts): string;
}

const succeeds = (exchange: Exchange): boolean =>
  exchange.status === 200 && exchange.body !== undefined && codeOf(exchange) === undefined;

export const metadataOf = ({ base, connector }: Facts): string =>
  `${base}/.well-known/oauth-protected-resource${connector.slice(base.length)}`;

/** A rejection that lets a client find the sign-in. */
const challenges = ({ status, headers }: Exchange, facts: Facts): boolean =>
  status === 401 && (headers["www-authenticate"] ?? "").includes(`resource_metadata="${metadataOf(facts)}"`);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The authorization server of this very service, as clients discover it. */
function isServer(body: Readonly<Record<string, unknown>>, { base }: Facts): boolean {
  const endpoints = ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"].map(
    (name) => String(body[name]),
  );
  const methods = body.code_challenge_methods_supported;
  return (
    body.issuer === base &&
    isList(methods) &&
    methods.includes("S256") &&
    endpoints.every((address) => address.startsWith(`${base}/`))
  );
}

function shookHands({ asked, ...exchange }: Exchange): boolean {
  const { protocolVersion, supportedVersions } = resultOf({ asked, ...exchange });
  return (
    exchange.status === 200 &&
    (asked.endsWith(String(protocolVersion)) ||
      (isList(supportedVersions) && supportedVersions.includes(DIRECT_VERSION)))
  );
}

const left = ({ headers }: Exchange): string => {
  const rest = /;r=(\d+)/.exec(headers.ratelimit ?? "")?.[1];
  return rest ? ` ${Number(rest).toLocaleString("en")} calls are left this minute.` : "";
};

/** The dataset that a reply's line of citation names, `Cite: river-levels, table Gauges, sha256:…`. */
const citedDataset = (exchange: Exchange): string | undefined =>
  /^Cite: ([^,]+),/.exec(String(structured(exchange).citation))?.[1];

/** The credential for the connector. */
const CREDENTIALS: Readonly<Partial<Record<CredentialForm, string>>> = {
  use: "A well-formed use key. It is read-only.",
  access: "An access token, as issued to clients at sign-in.",
  cli: "A well-formed device credential (svc_cli_).",
};

/** THE table of what a client needs at each step. */
export const expectations: Readonly<Record<StepId, Expectation>> = {
  credential: {
    holds: (_, { form }) => form !== undefined && Object.hasOwn(CREDENTIALS, form),
    good: (_, { form }) => CREDENTIALS[form ?? "use"] ?? "",
  },
  address: {
    holds: (exchange) => exchange.status === 405 && codeOf(exchange) === "method_not_allowed",
    good: ([exchange]) =>
      `Responded in ${exchange?.ms.toLocaleString("en")} ms. GET returns 405, which tells clients that there ` +
      "is no SSE stream to open.",
  },
  origin: {
    holds: (exchange, facts) => succeeds(exchange) || (!exchange.withCredential && challenges(exchange, facts)),
    good: (_, { origin }) =>
      `The service accepts calls to this host, and from pages of ${origin}. Programs send no origin.`,
  },
  resource: {
    holds: (exchange, { base, connector }) => {
      const { resource, authorization_servers: servers } = fieldsOf(exchange);
      return exchange.status === 200 && resource === connector && isList(servers) && servers.includes(base);
    },
    good: (_, { base, connector }) =>
      `The document names exactly this URL, ${connector}, and ${base} as the authorization server.`,
  },
  server: {
    holds: (exchange, facts) => exchange.status === 200 && isServer(fieldsOf(exchange), facts),
    good: () => "It is this service. It supports dynamic client registration and PKCE.",
  },
  rejection: {
    holds: challenges,
    good: () => "Rejected with 401 and the challenge that tells clients to start sign-in.",
  },
  register: {
    holds: (exchange) => exchange.status === 201 && typeof fieldsOf(exchange).client_id === "string",
    good: (exchanges) =>
      exchanges.length > 0 ? "This page is now registered as a client." : "This page uses its earlier registration.",
  },
  consent: {
    holds: (exchange) => codeOf(exchange) === undefined,
    good: () => "You approved the request, and the response is from this service and for this request.",
  },
  token: {
    holds: (exchange) => exchange.status === 200 && "access_token" in fieldsOf(exchange),
    good: () => "The code was exchanged for an access token, valid for one hour at this URL, and a refresh token.",
  },
  handshakes: {
    holds: shookHands,
    good: () =>
      `All ${HANDSHAKE_VERSIONS.length + 1} versions of the protocol, from ${HANDSHAKE_VERSIONS.at(-1)} to ` +
      `${DIRECT_VERSION}.`,
  },
  tools: {
    holds: (exchange) => isList(resultOf(exchange).tools),
    good: ([exchange]) => `${exchange ? (resultOf(exchange).tools as readonly unknown[]).length : 0} tools are listed.`,
  },
  rows: {
    holds: (exchange) =>
      succeeds(exchange) && isList(structured(exchange).rows) && citedDataset(exchange) !== undefined,
    good: ([exchange]) => {
      if (!exchange) return "Nothing is published yet, so there are no rows to read.";
      const { rows } = structured(exchange);
      const count = isList(rows) ? rows.length : 0;
      return (
        `sample_rows returned ${count} ${count === 1 ? "row" : "rows"} of ${citedDataset(exchange)}, with their ` +
        `citation.${left(exchange)}`
      );
    },
  },
  own: {
    holds: succeeds,
    good: ([exchange]) => {
      const { datasets } = exchange ? structured(exchange) : {};
      const count = isList(datasets) ? datasets.length : 0;
      return (
        "list_connected_datasets answers: " +
        `${count === 0 ? "no dataset is" : count === 1 ? "one dataset is" : `${count} datasets are`} connected ` +
        `to the workspace.${exchange ? left(exchange) : ""}`
      );
    },
  },
  refresh: {
    holds: (exchange) => exchange.status === 200 && "refresh_token" in fieldsOf(exchange),
    good: () => "The refresh token was exchanged for a new pair, so a client stays connected.",
  },
  revoke: {
    holds: (exchange) => (exchange.withCredential ? exchange.status === 401 : exchange.status === 200),
    good: () => "The test revoked its own connection, and its token is now rejected. Nothing else was changed.",
  },
};
