import { randomUUID } from "node:crypto";
import { isMessage } from "./message-faults";
import { APPS_EXTENSION, RESULT_APP_MEDIA, RESULT_APP_URI } from "./result-app";

type Message = Readonly<Record<string, unknown>>;

export const SESSION_HEADER = "mcp-session-id";
/** A session id with this prefix says only that its client shows apps; nothing is stored for it. */
const SESSION = "apps-";

/**
 * Whether the client of these messages shows apps (`io.modelcontextprotocol/ui`). Requests of 2026-07-28 declare their
 * client's capabilities; older clients declare them only in `initialize`, and send back the session id of its reply.
 */
export const knowsApps = (headers: Headers, messages: readonly Message[]): boolean =>
  (headers.get(SESSION_HEADER)?.startsWith(SESSION) ?? false) || messages.some(statesApps) || messages.some(readsApp);

/** Whether one of the messages is an `initialize` that starts such a session. */
export const opensSession = (messages: readonly Message[]): boolean =>
  messages.some(({ method }) => method === "initialize");

/** Unique, since intermediaries between client and service may distinguish clients by it. */
export const newSession = (): string => `${SESSION}${randomUUID()}`;

function statesApps({ method, params }: Message): boolean {
  if (!isMessage(params)) return false;
  const stated =
    method === "initialize"
      ? params.capabilities
      : isMessage(params._meta) && params._meta["io.modelcontextprotocol/clientCapabilities"];
  const extensions = isMessage(stated) && stated.extensions;
  const apps = isMessage(extensions) && extensions[APPS_EXTENSION];
  return isMessage(apps) && Array.isArray(apps.mimeTypes) && apps.mimeTypes.includes(RESULT_APP_MEDIA);
}

/** A host may read an app through a separate connection. */
const readsApp = ({ method, params }: Message): boolean =>
  method === "resources/read" && isMessage(params) && params.uri === RESULT_APP_URI;
