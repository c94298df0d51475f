import { lookup as systemLookup } from "node:dns";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { z } from "zod";
import { isRejectedLiteral, judgedLookup } from "@/lib/kernel/guarded-address";
import { isPublicAddress } from "@/lib/kernel/public-address";
import type { NewClient } from "@/lib/store/people/oauth-clients";
import { isRedirectUri } from "./redirect-uri";
import { clientMetadataSchema, clientName, clientUri } from "./registration";

const BYTES_MAX = 5 * 1024;

const documentSchema = clientMetadataSchema.extend({ client_id: z.string() });

/**
 * The reason why a document cannot be used, worded for a person. Reveals nothing about what was found at a URL, which
 * might be in our own network.
 */
export class ClientDocumentError extends Error {}

/** How a document is fetched; tests map a name to their own server. */
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

/** Whether an id is the URL of a document that describes the client: https, with a path, and unambiguous. */
export function isDocumentAddress(id: string): boolean {
  if (id.length > 500 || !URL.canParse(id)) return false;
  const url = new URL(id);
  const isPlain = url.username === "" && url.password === "" && url.port === "" && url.hash === "" && !id.includes("#");
  return url.protocol === "https:" && isPlain && url.pathname.length > 1 && url.href === id;
}

/**
 * The client that the document at this URL describes. Follows no redirects, reads at most 5 KiB in 5 s, and connects
 * only to the public internet: the IP address is checked after the name is resolved. Rejects with a message for a
 * person.
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
  if (isRejectedLiteral(url.hostname, isAllowed)) return Promise.reject(forbidden());
  const signal = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = {
    headers: { accept: "application/json", "user-agent": "Parquetry" },
    lookup: judgedLookup(lookup, isAllowed),
    agent: false,
    signal,
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        signal.aborted
          ? new ClientDocumentError("The request for the client metadata document timed out.")
          : readable(error),
      );
    const asking = request(url, options, (reply) => {
      const stop = (why: string) => {
        fail(new ClientDocumentError(why));
        asking.destroy();
      };
      const chunks: Buffer[] = [];
      let size = 0;
      reply.on("error", fail);
      if (reply.statusCode !== 200)
        return stop(`The request for the client metadata document failed with status ${reply.statusCode}.`);
      reply.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > BYTES_MAX) stop("The client metadata document is larger than 5 KiB.");
      });
      reply.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    asking.on("error", fail);
    asking.end();
  });
}

const readable = (error: Error): ClientDocumentError => (error instanceof ClientDocumentError ? error : forbidden());

const forbidden = (): ClientDocumentError =>
  new ClientDocumentError("The client metadata document cannot be fetched. It must be hosted at a public address.");
