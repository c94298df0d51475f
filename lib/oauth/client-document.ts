import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { z } from "zod";
import { isPublicAddress } from "@/lib/kernel/public-address";
import type { NewClient } from "@/lib/store/oauth-clients";
import { isRedirectUri } from "./redirect-uri";
import { clientMetadataSchema, clientName, clientUri } from "./registration";

const BYTES_MAX = 5 * 1024;

const documentSchema = clientMetadataSchema.extend({ client_id: z.string() });

/**
 * Why a document cannot be used, in words for a person. Of what stands behind an address it tells nothing, or it would
 * tell of our own network.
 */
export class ClientDocumentError extends Error {}

/** How a document is fetched; tests put their own server behind a name. */
export interface Fetching {
  lookup: typeof systemLookup;
  isAllowed(address: string): boolean;
  request: typeof httpsRequest;
  timeoutMs: number;
}

const FETCHING: Fetching = {
  lookup: systemLookup,
  isAllowed: isPublicAddress,
  request: httpsRequest,
  timeoutMs: 5_000,
};

/**
 * Whether an id is the address of a document that describes the client: https, with a path, and nothing that could be
 * read in two ways.
 */
export function isDocumentAddress(id: string): boolean {
  if (id.length > 500 || !URL.canParse(id)) return false;
  const url = new URL(id);
  const isPlain = url.username === "" && url.password === "" && url.port === "" && url.hash === "" && !id.includes("#");
  return url.protocol === "https:" && isPlain && url.pathname.length > 1 && url.href === id;
}

/**
 * What the document at this address says of its client. Follows no redirect, reads at most 5 KiB in 5 s, and talks to
 * the public internet alone:
 * the address is judged after the name was looked up. Rejects with words for a person.
 */
export async function fetchClientDocument(id: string, now: Date, fetching: Fetching = FETCHING): Promise<NewClient> {
  const parsed = documentSchema.safeParse(await readJson(id, fetching));
  if (!parsed.success) throw new ClientDocumentError("The client metadata document is invalid.");
  const document = parsed.data;
  if (document.client_id !== id)
    throw new ClientDocumentError("client_id in the client metadata document does not match its URL.");
  if (document.token_endpoint_auth_method !== "none")
    throw new ClientDocumentError("token_endpoint_auth_method is not allowed in a client metadata document.");
  if (!document.redirect_uris.every(isRedirectUri))
    throw new ClientDocumentError("The client metadata document contains a redirect_uri that is not allowed.");
  return {
    id,
    kind: "document",
    name: clientName(document),
    uri: clientUri(document),
    redirectUris: document.redirect_uris,
    authMethod: "none",
    secretHash: null,
    fetchedAt: now,
  };
}

async function readJson(id: string, fetching: Fetching): Promise<unknown> {
  const text = await readText(new URL(id), fetching);
  try {
    return JSON.parse(text);
  } catch {
    throw new ClientDocumentError("The client metadata document is not valid JSON.");
  }
}

function readText(url: URL, { lookup, isAllowed, request, timeoutMs }: Fetching): Promise<string> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(name) !== 0 && !isAllowed(name)) return Promise.reject(forbidden());
  const signal = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = {
    headers: { accept: "application/json", "user-agent": "Parquetry" },
    lookup: judged(lookup, isAllowed),
    agent: false,
    signal,
  };
  return new Promise((resolve, refuse) => {
    const reject = (error: Error) =>
      refuse(
        signal.aborted
          ? new ClientDocumentError("The request for the client metadata document timed out.")
          : readable(error),
      );
    const asking = request(url, options, (reply) => {
      const stop = (why: string) => {
        reject(new ClientDocumentError(why));
        asking.destroy();
      };
      const chunks: Buffer[] = [];
      let size = 0;
      reply.on("error", reject);
      if (reply.statusCode !== 200)
        return stop(`The request for the client metadata document failed with status ${reply.statusCode}.`);
      reply.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > BYTES_MAX) stop("The client metadata document is larger than 5 KiB.");
      });
      reply.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    asking.on("error", reject);
    asking.end();
  });
}

const readable = (error: Error): ClientDocumentError => (error instanceof ClientDocumentError ? error : forbidden());

/** A look-up that gives no address which the document may not be fetched from, so that nothing is looked up twice. */
function judged(lookup: typeof systemLookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const addresses = found as LookupAddress[] | undefined;
      const [first] = addresses ?? [];
      if (error || !addresses || !first) return callback(error ?? forbidden(), "", 0);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(forbidden(), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const forbidden = (): ClientDocumentError =>
  new ClientDocumentError("The client metadata document cannot be fetched. It must be hosted at a public address.");
