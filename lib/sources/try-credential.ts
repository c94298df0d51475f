import { ask, type Connecting } from "./connection";
import { checkHost, type SourceCredential, withCredential } from "./credential";
import { SourceFailure } from "./source-failure";

/** The result of one HEAD request with a credential. */
export interface Trial {
  verdict: "accepted" | "rejected" | "unclear" | "unreachable";
  /** Null if there was no reply. */
  status: number | null;
  words: string;
}

/**
 * Sends one HEAD request with the credential to a URL at one of its hosts. No redirect is followed and no body is read.
 * Throws the failures of a URL that is not allowed.
 */
export async function tryCredential(
  credential: SourceCredential,
  address: URL,
  connecting: Connecting,
  signal: AbortSignal,
): Promise<Trial> {
  checkHost(credential, address);
  const { url, headers } = withCredential(address, credential);
  try {
    const reply = await ask(url, { method: "HEAD", headers, body: undefined }, connecting, signal);
    reply.destroy();
    return trialOf(reply.statusCode ?? 0, address.host);
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.code === "source_refused") throw error;
    return { verdict: "unreachable", status: null, words: error.message };
  }
}

function trialOf(status: number, host: string): Trial {
  if (status >= 200 && status < 300)
    return { verdict: "accepted", status, words: `${host} answered ${status}: it accepts the credential.` };
  if (status === 401 || status === 403)
    return {
      verdict: "rejected",
      status,
      words: `${host} answered ${status}: it does not accept the credential here.`,
    };
  const about = status >= 300 && status < 400 ? "a redirect" : "which says nothing about the credential";
  return { verdict: "unclear", status, words: `${host} answered ${status}, ${about}. Try a URL that returns data.` };
}
