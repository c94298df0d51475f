import type { CredentialForm } from "./credential-form";
import type { Exchange } from "./exchange";

/** What the page knows about the test besides the replies. */
export interface Facts {
  /** The service's own URL. */
  base: string;
  /** The page's URL, as the browser sees it. */
  origin: string;
  /** Connector URL under test. */
  connector: string;
  /** What was pasted; undefined if nothing was. */
  form?: CredentialForm | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** The result of a JSON-RPC reply; empty if there is none. */
export const resultOf = ({ body }: Exchange): Fields => fields(fields(body).result);

export const fieldsOf = ({ body }: Exchange): Fields => fields(body);

export const structured = (exchange: Exchange): Fields => fields(resultOf(exchange).structuredContent);

/** The service's own code of an error: in its envelope, in a JSON-RPC error, in a tool's result, or OAuth's. */
export function codeOf(exchange: Exchange): string | undefined {
  const { error } = fieldsOf(exchange);
  if (typeof error === "string") return error;
  const inRpc = fields(fields(error).data).error;
  if (typeof inRpc === "string") return inRpc;
  return resultOf(exchange).isError === true ? /^([a-z_]+):/.exec(textOf(exchange))?.[1] : undefined;
}

/** The service's message about it, for a person. */
export function messageOf(exchange: Exchange): string {
  const { error, message, error_description: described } = fieldsOf(exchange);
  const said = [message, described, fields(error).message].find((text) => typeof text === "string");
  return typeof said === "string" ? said : "";
}

function textOf(exchange: Exchange): string {
  const { content } = resultOf(exchange);
  const { text } = fields(Array.isArray(content) ? content[0] : undefined);
  return typeof text === "string" ? text : "";
}

/** Whether a reply is from the service: it has a request ID, and is JSON (or empty, if there is nothing to say). */
export const isOurs = ({ headers, body, excerpt }: Exchange): boolean =>
  headers["x-request-id"] !== undefined && (body !== undefined || excerpt === "");
