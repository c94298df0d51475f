import { lookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { AddressRejected, type IsAllowed, isRejectedLiteral, judgedLookup } from "@/lib/kernel/guarded-address";
import { isPublicAddress } from "@/lib/kernel/public-address";
import { SourceFailure } from "./source-failure";

/** How external hosts are reached. Tests substitute their own names and stand-ins. */
export interface Connecting {
  lookup: typeof lookup;
  isAllowed: IsAllowed;
  ports: readonly number[];
  /** Hosts of this service, whose tables a recipe reads with kind table. */
  ownHosts: readonly string[];
  /** `host:port` pairs in the administrator's own network that are opened. */
  privateHosts: readonly string[];
  userAgent: string;
  headMs: number;
  agents: { http: HttpAgent; https: HttpsAgent };
}

const HEAD_BYTES_MAX = 64 * 1024;
const FIELDS_MAX = 100;

export const CONNECTING_DEFAULTS = {
  lookup,
  isAllowed: isPublicAddress,
  ports: [80, 443, 8080, 8443] as readonly number[],
  headMs: 30_000,
};

/** Sockets are reused only for the same host and port, whose address was checked. `maxSockets`: of each. */
export const newAgents = (maxSockets = 2): Connecting["agents"] => {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: 1 };
  return { http: new HttpAgent(options), https: new HttpsAgent({ ...options, minVersion: "TLSv1.2" }) };
};

/** Rejects a URL that is not allowed, before any lookup and always with the same message. */
export function checkAddress(url: URL, connecting: Connecting): void {
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  if (!isWeb || url.username !== "" || url.password !== "" || url.hostname === "") throw rejected(url);
  if (isPrivate(url, connecting)) return;
  const host = bareHost(url);
  if (connecting.ownHosts.includes(host))
    throw new SourceFailure("source_refused", `${host} is this service itself. Use a source of kind table.`);
  if (!connecting.ports.includes(portOf(url)) || isRejectedLiteral(host, connecting.isAllowed)) throw rejected(url);
}

/** Sends one request and returns the reply's head, without reading its body. The caller handles redirects. */
export function ask(
  url: URL,
  given: { method: string; headers: Readonly<Record<string, string>>; body: string | undefined },
  connecting: Connecting,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  checkAddress(url, connecting);
  const isOpen = isPrivate(url, connecting);
  const isAllowed: IsAllowed = isOpen ? () => true : connecting.isAllowed;
  const isSecure = url.protocol === "https:";
  const options = {
    method: given.method,
    headers: { "user-agent": connecting.userAgent, ...given.headers },
    lookup: judgedLookup(connecting.lookup, isAllowed),
    agent: isSecure ? connecting.agents.https : connecting.agents.http,
    maxHeaderSize: HEAD_BYTES_MAX,
    signal,
  };
  return new Promise((resolve, reject) => {
    const asking = isSecure ? httpsRequest(url, { ...options, rejectUnauthorized: true }) : httpRequest(url, options);
    const timer = setTimeout(() => asking.destroy(timeout(url, connecting.headMs)), connecting.headMs);
    asking.once("socket", (socket) => {
      const judge = () => {
        if (!isAllowed(socket.remoteAddress ?? "")) asking.destroy(new AddressRejected());
      };
      if (socket.connecting) socket.once("connect", judge);
      else judge();
    });
    asking.once("response", (reply) => {
      clearTimeout(timer);
      if (reply.rawHeaders.length / 2 <= FIELDS_MAX) return resolve(reply);
      asking.destroy();
      reject(new SourceFailure("source_refused", `${url.host} sends more than ${FIELDS_MAX} header fields.`));
    });
    asking.once("error", (error) => {
      clearTimeout(timer);
      reject(explained(error, url, signal));
    });
    asking.end(given.body);
  });
}

/** Maps any error below HTTP to one of four messages, which reveal nothing about our own network. */
export function explained(error: unknown, url: URL, signal: AbortSignal): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (signal.aborted) return signal.reason instanceof SourceFailure ? signal.reason : cancelled();
  if (error instanceof AddressRejected) return rejected(url);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "HPE_HEADER_OVERFLOW")
    return new SourceFailure("source_refused", `${url.host} sends a head over 64 KiB.`);
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code))
    return new SourceFailure("source_unreachable", `The TLS certificate of ${url.host} cannot be verified.`);
  return new SourceFailure("source_unreachable", `Cannot read from ${url.host}.`);
}

export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

const bareHost = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, "");

const isPrivate = (url: URL, { privateHosts }: Connecting): boolean =>
  privateHosts.includes(`${bareHost(url)}:${portOf(url)}`);

const rejected = (url: URL): SourceFailure =>
  new SourceFailure("source_refused", `${url.host.slice(0, 100)} is not a public http address.`);

const timeout = (url: URL, ms: number): SourceFailure =>
  new SourceFailure("source_timeout", `${url.host} did not answer within ${ms / 1000} s.`);

const cancelled = (): SourceFailure => new SourceFailure("cancelled", "The reading was cancelled.");
