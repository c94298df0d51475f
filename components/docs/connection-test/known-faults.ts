import type { CredentialForm } from "./credential-form";
import type { Exchange } from "./exchange";
import { metadataOf } from "./expectations";
import { codeOf, type Facts, fieldsOf, isOurs, messageOf } from "./reply-facts";
import type { StepId } from "./steps";

export interface At {
  step: StepId;
  exchange: Exchange;
  facts: Facts;
}

/** Something that can be wrong: how it is recognised, what it means, and what to do first. */
interface KnownFault {
  when(at: At): boolean;
  message(at: At): string;
  fix(at: At): string;
}

type Words = string | ((at: At) => string);

const fault = (when: KnownFault["when"], message: Words, fix: Words): KnownFault => ({
  when,
  message: typeof message === "string" ? () => message : message,
  fix: typeof fix === "string" ? () => fix : fix,
});

const fails = (failure: Exchange["failure"]) => (at: At) => at.exchange.failure === failure;
const code =
  (...codes: readonly string[]) =>
  ({ exchange }: At) =>
    codes.includes(codeOf(exchange) ?? "");
const at = (step: StepId) => (place: At) => place.step === step;
const form = (kind: CredentialForm) => (place: At) => place.step === "credential" && place.facts.form === kind;

const NEW_KEY = "Create a use key at Settings, Access, and paste it.";
/** What can expire, by its form. */
const EXPIRED: Readonly<Partial<Record<CredentialForm, { message: string; fix: string }>>> = {
  use: { message: "This key has expired.", fix: NEW_KEY },
  access: {
    message: "This access token has expired. Access tokens are valid for one hour.",
    fix: "Have the client refresh it. If it does not do so automatically, connect it again.",
  },
  cli: {
    message: "This computer’s credential has expired. Device credentials are valid for 180 days.",
    fix: "Sign in again with parquetry login.",
  },
};
const isToken = ({ facts }: At) => facts.form !== "use";
const said = ({ exchange }: At) => messageOf(exchange);
const wait = ({ exchange }: At) =>
  exchange.headers["retry-after"]
    ? `in ${Number(exchange.headers["retry-after"]).toLocaleString("en")} seconds`
    : "in a moment";
const numbered = ({ exchange }: At) =>
  exchange.headers["x-request-id"] ? ` The request ID is ${exchange.headers["x-request-id"]}.` : "";

const PASTED = [
  fault(form("empty"), "Nothing was pasted.", "Paste a use key or your client’s access token."),
  fault(
    form("typo"),
    "Mistyped key: the checksum in its last six characters does not match the rest.",
    "Copy the entire key again.",
  ),
  fault(
    form("cut"),
    "The pasted value has the wrong length: it is truncated or has extra characters.",
    "Copy exactly the entire key or token, from svc_ to its last character.",
  ),
  fault(form("foreign"), "Not a key or token of this service: those start with svc_.", NEW_KEY),
  fault(
    form("live"),
    "This is a live key (svc_live_): valid for hosted tables over HTTP, not for the connector.",
    NEW_KEY,
  ),
  fault(
    form("refresh"),
    "This is a refresh token. It can be exchanged for access tokens but gives no access itself.",
    "Paste the access token, which starts with svc_oat_. Leave the refresh token with the client.",
  ),
  fault(
    form("code"),
    "This is an authorization code. The client exchanges it for tokens, once and within a minute.",
    "Let the client finish its sign-in, or run the test with sign-in.",
  ),
  fault(
    form("client"),
    "This is a client secret. It identifies the client but gives no access.",
    "Paste an access token or a use key.",
  ),
];

const ANSWERED = [
  fault(
    code("access_denied"),
    "You denied access, so nothing was connected. A client gets the same response.",
    "To connect, test again and press Allow.",
  ),
  fault(
    code("stopped"),
    "You cancelled the test. Nothing was connected.",
    "Test again, and approve the request in the window that opens.",
  ),
  fault(
    code("wrong_answer"),
    "A response arrived that was not for this request or not from this service. It was discarded.",
    "Close other windows of this test and test again.",
  ),
  fault(
    at("consent"),
    (place) => `The authorization request was rejected: ${said(place)}`,
    "Test again. If this keeps happening, copy the report and send it to your administrator.",
  ),
];

const REACHED = [
  fault(fails("offline"), "Your browser is offline.", "Connect to the network, and test again."),
  fault(
    fails("slow"),
    "No response within 15 seconds. Something in between delays it.",
    "Configure the proxy to forward requests and responses without buffering, and test again.",
  ),
  fault(
    fails("redirected"),
    "The response is a redirect, which makes clients lose the request body.",
    "Give clients the redirect’s target URL, and remove the redirect in front of the service.",
  ),
  fault(
    fails("unreachable"),
    ({ exchange }) =>
      `No response from ${exchange.path}: the service is down, or the connection was interrupted on the way.`,
    "Reload this page. If it loads, check what blocks this one path: a proxy, a firewall, or a blocker in " +
      "this browser.",
  ),
  fault(
    ({ exchange, facts }) => codeOf(exchange) === "forbidden_origin" && facts.origin !== facts.base,
    ({ facts }) =>
      `You opened this page at ${facts.origin}, but the service is configured as ${facts.base} and accepts ` +
      "calls to that host only.",
    ({ facts }) =>
      `Open ${facts.base}/docs/connect and test there. If ${facts.origin} is correct, the administrator sets ` +
      "it as PARQUETRY_BASE_URL.",
  ),
  fault(
    code("forbidden_origin"),
    (place) => `The service received a different host or origin: something in between rewrites them. ${said(place)}`,
    "Configure the proxy to forward Host (or X-Forwarded-Host) and Origin unchanged.",
  ),
  fault(
    ({ exchange }) => !isOurs(exchange) && [502, 503, 504].includes(exchange.status),
    ({ exchange }) => `A proxy returned ${exchange.status}: it could not reach the service.`,
    "Start the service, and check that the proxy has its host and port.",
  ),
  fault(
    ({ exchange }) => !isOurs(exchange),
    ({ exchange }) =>
      `Something other than the service responded, with ${exchange.status} and ` +
      `${exchange.headers["content-type"] ?? "no content type"}.`,
    ({ exchange }) =>
      `Configure the proxy to forward ${exchange.path} unchanged: no browser challenge, sign-in or error ` +
      "page of its own.",
  ),
];

const REJECTED = [
  fault(
    ({ exchange }) => exchange.withCredential && codeOf(exchange) === "key_missing",
    "The key or token was sent but did not arrive: something in between removes the Authorization header.",
    "Configure the proxy to forward Authorization.",
  ),
  fault(
    code("key_invalid"),
    (place) =>
      isToken(place)
        ? "This token was not issued by this server."
        : "Unknown key: it is well formed but belongs to another service or to earlier data of this one.",
    (place) => (isToken(place) ? "Connect the client again and sign in here." : NEW_KEY),
  ),
  fault(
    code("key_revoked"),
    (place) =>
      isToken(place)
        ? "This connection was revoked, in the settings or for security reasons."
        : "This key was revoked.",
    (place) => (isToken(place) ? "Connect the client again." : NEW_KEY),
  ),
  fault(
    code("key_expired"),
    (place) => EXPIRED[place.facts.form ?? "access"]?.message ?? "",
    (place) => EXPIRED[place.facts.form ?? "access"]?.fix ?? "",
  ),
  fault(
    (place) => code("key_wrong_type")(place) && isToken(place),
    said,
    ({ facts }) => `Have the client use the URL that it signed in for, or connect it again at ${facts.connector}.`,
  ),
  fault(code("key_wrong_type"), said, "Sign in from the client instead of using a key."),
  fault(code("insufficient_scope"), said, "Connect the client again with the scope datasets:read."),
  fault(code("rate_limited"), "Too many calls this minute.", (place) => `Test again ${wait(place)}.`),
  fault(
    code("daily_quota_exhausted"),
    (place) =>
      place.exchange.withCredential ? "The daily quota is used up." : "The daily quota of this IP address is used up.",
    (place) => `Try again ${wait(place)}. A key or a connection has its own quota.`,
  ),
  fault(
    code("unavailable", "busy", "storage_timeout"),
    "The service is temporarily unavailable.",
    (place) => `Test again ${wait(place)}.`,
  ),
];

const SIGNING_IN = [
  fault(
    (place) => at("resource")(place) && place.exchange.status === 200,
    ({ exchange, facts }) =>
      `The document describes ${String(fieldsOf(exchange).resource)}, not ${facts.connector}, so clients stop.`,
    "The administrator sets PARQUETRY_BASE_URL to the URL that clients use, and makes sure that nothing " +
      "rewrites the document.",
  ),
  fault(
    (place) => at("server")(place) && place.exchange.status === 200,
    ({ exchange, facts }) =>
      `The document’s issuer is ${String(fieldsOf(exchange).issuer)}, or required fields are missing. The ` +
      `issuer must be ${facts.base}, with registration and PKCE.`,
    ({ exchange }) => `Configure the proxy to forward ${exchange.path} to this service unchanged.`,
  ),
  fault(
    (place) => (at("rejection")(place) || at("origin")(place)) && place.exchange.status === 401,
    ({ facts }) => `Rejected, but without a challenge that names ${metadataOf(facts)}, so clients cannot sign in.`,
    "Configure the proxy to forward WWW-Authenticate, and set PARQUETRY_BASE_URL to the URL that clients use.",
  ),
  fault(
    (place) => at("rejection")(place) && place.exchange.status === 200,
    "The call returned 200 instead of 401, so clients would not start sign-in.",
    "Check the proxy in front of the service: it changes the status or adds its own credential.",
  ),
  fault(
    code("invalid_redirect_uri"),
    ({ facts }) =>
      `The service sends codes only to https URLs or to this computer, and this page is ${facts.origin}. ` +
      "Programs that run locally are not affected.",
    "Put TLS in front of the service, and set PARQUETRY_BASE_URL to its https URL.",
  ),
  fault(
    code("invalid_grant", "invalid_client", "invalid_target"),
    (place) => `The sign-in server rejected the request: ${said(place)}`,
    "Test again: codes are valid once and for a minute. If this keeps happening, check the service’s clock.",
  ),
  fault(at("revoke"), "The connection may still exist.", "Open Settings, Access, and disconnect “Docs test”."),
];

const ANY = [
  fault(
    code("not_found"),
    ({ exchange }) => `Not found: ${exchange.path}.`,
    ({ facts }) => `Use exactly ${facts.connector}, without a trailing slash.`,
  ),
  fault(
    at("handshakes"),
    ({ exchange }) => `The response to ${exchange.asked} does not follow the protocol (status ${exchange.status}).`,
    (place) => `Copy the report and send it to your administrator.${numbered(place)}`,
  ),
  fault(
    () => true,
    (place) =>
      [
        "Unexpected response: " +
          `${place.exchange.status || "no status"}${codeOf(place.exchange) ? `, ${codeOf(place.exchange)}` : ""}.`,
        said(place),
      ]
        .join(" ")
        .trim(),
    (place) => `Copy the report and send it to your administrator.${numbered(place)}`,
  ),
];

/** THE table of what can be wrong; the first match applies, and the last always matches. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  ...PASTED,
  ...ANSWERED,
  ...REACHED,
  ...REJECTED,
  ...SIGNING_IN,
  ...ANY,
];
