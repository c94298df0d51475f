import type { CredentialForm } from "./credential-form";
import type { Exchange } from "./exchange";
import { metadataOf } from "./expectations";
import { codeOf, fieldsOf, isOurs, messageOf } from "./reply-facts";
import type { StepId } from "./steps";
import type { Facts } from "./verdicts";

export interface At {
  step: StepId;
  exchange: Exchange;
  facts: Facts;
}

/** Something that can be wrong: how it is known, what it means, and what to do first. */
interface Trouble {
  when(at: At): boolean;
  says(at: At): string;
  todo(at: At): string;
}

type Words = string | ((at: At) => string);

const trouble = (when: Trouble["when"], says: Words, todo: Words): Trouble => ({
  when,
  says: typeof says === "string" ? () => says : says,
  todo: typeof todo === "string" ? () => todo : todo,
});

const fails = (failure: Exchange["failure"]) => (at: At) => at.exchange.failure === failure;
const code =
  (...codes: readonly string[]) =>
  ({ exchange }: At) =>
    codes.includes(codeOf(exchange) ?? "");
const at = (step: StepId) => (place: At) => place.step === step;
const form = (kind: CredentialForm) => (place: At) => place.step === "credential" && place.facts.form === kind;

const NEW_KEY = "Make a use key at Settings, Access, and paste that.";
/** What can expire, by its form. */
const EXPIRED: Readonly<Partial<Record<CredentialForm, { says: string; todo: string }>>> = {
  use: { says: "This key has expired.", todo: NEW_KEY },
  access: {
    says: "This access token has expired: each is good for an hour.",
    todo: "Have the client refresh it; if it does not by itself, connect it again.",
  },
  cli: {
    says: "This computer’s credential has expired: each is good for half a year.",
    todo: "Sign the computer in again: parquetry login.",
  },
};
const isToken = ({ facts }: At) => facts.form !== "use";
const said = ({ exchange }: At) => messageOf(exchange);
const wait = ({ exchange }: At) =>
  exchange.headers["retry-after"]
    ? `in ${Number(exchange.headers["retry-after"]).toLocaleString("en")} seconds`
    : "in a moment";
const numbered = ({ exchange }: At) =>
  exchange.headers["x-request-id"] ? ` It is request ${exchange.headers["x-request-id"]}.` : "";

const PASTED = [
  trouble(form("empty"), "Nothing was pasted.", "Paste a use key, or an access token of your client."),
  trouble(
    form("typo"),
    "This key has a typing error: its last six characters, which are a checksum, do not fit the others.",
    "Copy the whole key again from where you keep it.",
  ),
  trouble(
    form("cut"),
    "This is cut off, or something hangs on to it: its length is wrong.",
    "Copy the whole key or token again, from svc_ to its last character, and nothing else.",
  ),
  trouble(form("foreign"), "This is no key or token of this service: those begin with svc_.", NEW_KEY),
  trouble(form("live"), "This is a legacy key (svc_live_): it opens tables over HTTP, and not the connector.", NEW_KEY),
  trouble(
    form("refresh"),
    "This is a refresh token: it gives new access tokens, and opens nothing itself.",
    "Paste the access token, which begins with svc_oat_. Keep the refresh token to the client.",
  ),
  trouble(
    form("code"),
    "This is an authorization code: the client exchanges it for tokens, once and within a minute.",
    "Let the client finish its sign-in, or test here with a sign-in.",
  ),
  trouble(
    form("client"),
    "This is a client’s secret: it proves which client asks, and opens nothing.",
    "Paste an access token, or a use key.",
  ),
];

const ANSWERED = [
  trouble(
    code("access_denied"),
    "You did not allow it: a client is told the same, and nothing was connected.",
    "Test again, and press Allow, or leave it.",
  ),
  trouble(
    code("stopped"),
    "You stopped waiting; nothing was connected.",
    "Test again, and answer in the window that opens.",
  ),
  trouble(
    code("wrong_answer"),
    "An answer came back that was not for this request, or not from this service. It was thrown away.",
    "Close other windows of this test, and test again.",
  ),
  trouble(
    at("consent"),
    (place) => `The question was refused: ${said(place)}`,
    "Test again. If it stays, copy the report, and send it to who runs this service.",
  ),
];

const REACHED = [
  trouble(fails("offline"), "Your browser is offline.", "Connect to the network, and test again."),
  trouble(
    fails("slow"),
    "No answer came within 15 seconds: something on the way holds it back.",
    "Have the proxy pass requests and replies on at once (no buffering), and test again.",
  ),
  trouble(
    fails("redirected"),
    "It is answered with a redirect, which makes clients lose what they sent.",
    "Give clients the address that it leads to, and stop the redirect in front of the service.",
  ),
  trouble(
    fails("unreachable"),
    ({ exchange }) =>
      `Nothing answers at ${exchange.path}: the service is down, or something on the way broke the connection off.`,
    "Load this page again. If it comes, look at what blocks this one path: a proxy, a firewall, or a blocker " +
      "in this browser.",
  ),
  trouble(
    ({ exchange, facts }) => codeOf(exchange) === "forbidden_origin" && facts.origin !== facts.base,
    ({ facts }) =>
      `You opened this page at ${facts.origin}, but the service calls itself ${facts.base}, and takes calls ` +
      "under that name alone.",
    ({ facts }) =>
      `Open ${facts.base}/docs/connect and test there. If ${facts.origin} is the right name, its operator sets ` +
      "it as PARQUETRY_BASE_URL.",
  ),
  trouble(
    code("forbidden_origin"),
    (place) =>
      `The service saw another host or origin than this page’s: something on the way rewrites them. ${said(place)}`,
    "Have the proxy pass Host (or X-Forwarded-Host) and Origin on as they come.",
  ),
  trouble(
    ({ exchange }) => !isOurs(exchange) && [502, 503, 504].includes(exchange.status),
    ({ exchange }) => `A proxy answered ${exchange.status}: it did not reach the service.`,
    "Start the service, and see that the proxy knows its address and port.",
  ),
  trouble(
    ({ exchange }) => !isOurs(exchange),
    ({ exchange }) =>
      `Something else answered in the service’s place, with ${exchange.status} and ` +
      `${exchange.headers["content-type"] ?? "no type of content"}.`,
    ({ exchange }) =>
      `Have whatever stands in front pass ${exchange.path} on untouched: no page that checks the browser, no ` +
      "sign-in of its own, no error page.",
  ),
];

const REFUSED = [
  trouble(
    ({ exchange }) => exchange.withCredential && codeOf(exchange) === "key_missing",
    "The key or token was sent, and did not arrive: something on the way takes the header Authorization away.",
    "Have the proxy pass Authorization on.",
  ),
  trouble(
    code("key_invalid"),
    (place) =>
      isToken(place)
        ? "This token was not given out here."
        : "The key is well formed, and not known here: it is another service’s, or was made before this one’s " +
          "data was.",
    (place) => (isToken(place) ? "Connect the client again, so that it signs in here." : NEW_KEY),
  ),
  trouble(
    code("key_revoked"),
    (place) =>
      isToken(place)
        ? "This connection has been ended: disconnected in the settings, or for safety."
        : "This key was revoked.",
    (place) => (isToken(place) ? "Connect the client again." : NEW_KEY),
  ),
  trouble(
    code("key_expired"),
    (place) => EXPIRED[place.facts.form ?? "access"]?.says ?? "",
    (place) => EXPIRED[place.facts.form ?? "access"]?.todo ?? "",
  ),
  trouble(
    (place) => code("key_wrong_type")(place) && isToken(place),
    said,
    ({ facts }) => `Have the client use the address that it signed in for, or connect it again at ${facts.connector}.`,
  ),
  trouble(code("key_wrong_type"), said, "Sign in from the client in place of the key."),
  trouble(code("insufficient_scope"), said, "Connect the client again, and let it ask for datasets:read."),
  trouble(code("rate_limited"), "Too many calls in this minute.", (place) => `Test again ${wait(place)}.`),
  trouble(
    code("daily_quota_exhausted"),
    (place) =>
      place.exchange.withCredential
        ? "The allowance of this day is used up."
        : "The allowance of this network address is used up for today.",
    (place) => `Go on ${wait(place)}; a key or a connection has an allowance of its own.`,
  ),
  trouble(
    code("unavailable", "busy", "storage_timeout"),
    "The service is there, and cannot answer just now.",
    (place) => `Test again ${wait(place)}.`,
  ),
];

const SIGNING_IN = [
  trouble(
    (place) => at("resource")(place) && place.exchange.status === 200,
    ({ exchange, facts }) =>
      `The document is about ${String(fieldsOf(exchange).resource)}, and not about ${facts.connector}: clients ` +
      "stop there.",
    "The operator sets PARQUETRY_BASE_URL to the address that clients use, and lets nothing rewrite the document.",
  ),
  trouble(
    (place) => at("server")(place) && place.exchange.status === 200,
    ({ exchange, facts }) =>
      `The document is ${String(fieldsOf(exchange).issuer)}’s, or lacks what clients need: it must be ` +
      `${facts.base}’s, with registration and PKCE.`,
    ({ exchange }) => `Have the proxy pass ${exchange.path} on to this service untouched.`,
  ),
  trouble(
    (place) => (at("refusal")(place) || at("origin")(place)) && place.exchange.status === 401,
    ({ facts }) => `Refused, but without a challenge that names ${metadataOf(facts)}: clients do not find the sign-in.`,
    "Have the proxy pass the header WWW-Authenticate on, and set PARQUETRY_BASE_URL to the address that clients use.",
  ),
  trouble(
    (place) => at("refusal")(place) && place.exchange.status === 200,
    "The call came back with 200 in place of a refusal: clients would not sign anybody in.",
    "Look at what stands in front of the service: it changes the status, or adds a credential of its own.",
  ),
  trouble(
    code("invalid_redirect_uri"),
    ({ facts }) =>
      "The service sends codes to https addresses alone, or to this computer, and this page is " +
      `${facts.origin}. Programs on a computer of their own are not concerned.`,
    "Put TLS in front of the service, and set PARQUETRY_BASE_URL to its https address.",
  ),
  trouble(
    code("invalid_grant", "invalid_client", "invalid_target"),
    (place) => `The sign-in server refused: ${said(place)}`,
    "Test again: codes are good once, and for a minute. If it stays, see that the service’s clock is right.",
  ),
  trouble(at("revoke"), "The connection may still be there.", "Open Settings, Access, and disconnect “Docs test”."),
];

const ANY = [
  trouble(
    code("not_found"),
    ({ exchange }) => `There is nothing at ${exchange.path}.`,
    ({ facts }) => `Use exactly ${facts.connector}, without a slash at the end.`,
  ),
  trouble(
    at("handshakes"),
    ({ exchange }) => `${exchange.asked} was not answered as the protocol has it (${exchange.status}).`,
    (place) => `Copy the report, and send it to who runs this service.${numbered(place)}`,
  ),
  trouble(
    () => true,
    (place) =>
      [
        "That was not expected: " +
          `${place.exchange.status || "no status"}${codeOf(place.exchange) ? `, ${codeOf(place.exchange)}` : ""}.`,
        said(place),
      ]
        .join(" ")
        .trim(),
    (place) => `Copy the report, and send it to who runs this service.${numbered(place)}`,
  ),
];

/** THE table of what can be wrong; the first that fits is it, and the last fits always. */
export const TROUBLES: readonly Trouble[] = [...PASTED, ...ANSWERED, ...REACHED, ...REFUSED, ...SIGNING_IN, ...ANY];
