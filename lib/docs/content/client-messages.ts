import type { TableRow } from "@/lib/docs/doc";

interface Message {
  /** Its anchor. */
  id: string;
  /** As clients print it. */
  says: readonly string[];
  means: string;
  todo: string;
}

/** Messages that clients show when a connection fails, as reported by their users. */
const messages = (connector: string): readonly Message[] => [
  {
    id: "not-signed-in",
    says: ["Needs authentication", "Not logged in"],
    means: "Not an error: the client is waiting for you to sign in.",
    todo: "Sign in from the client: `/mcp` in Claude Code, `codex mcp login` in Codex, **Connect** elsewhere.",
  },
  {
    id: "unreachable",
    says: ["fetch failed", "ECONNREFUSED", "All connection attempts failed"],
    means:
      "Nothing responds at this URL from where the client runs. In a container or on another computer, " +
      "`localhost` is a different machine.",
    todo: "Open the URL’s host in a browser on that machine, and run the commands [from a terminal](#terminal) there.",
  },
  {
    id: "not-public",
    says: ["Couldn’t reach …", "Couldn’t connect to the server", "Error fetching OAuth configuration"],
    means:
      "Claude and ChatGPT connect from their own servers and could not reach this one: a local or private " +
      "address, a port other than 443, an untrusted certificate, or a firewall.",
    todo:
      "Give the service a public `https` URL and set it as `PARQUETRY_BASE_URL`. Exempt `/api/mcp`, " +
      "`/.well-known/` and `/api/oauth/` from browser challenges.",
  },
  {
    id: "no-server-found",
    says: ["Your account was authorized, but no MCP server was found at the provided URL"],
    means: "You are signed in, but the URL given to the client is not the connector’s.",
    todo: `Remove the connector and add it again as \`${connector}\`, without a trailing slash.`,
  },
  {
    id: "authorization-failed",
    says: ["Authorization with the MCP server failed"],
    means: "Sign-in was not completed: access was denied, the request expired, or the result did not reach the client.",
    todo: "Connect again. If it keeps failing, run the [test](#test) with sign-in: it shows the step that fails.",
  },
  {
    id: "registration",
    says: [
      "Incompatible auth server: does not support dynamic client registration",
      "Dynamic Client Registration not supported",
    ],
    means:
      "The client found no registration endpoint. This service supports dynamic client registration, so either " +
      "a proxy answers in its place or the URL belongs to another server.",
    todo:
      "Run the [test](#test): “Sign-in server” shows the response. Configure the proxy to forward " +
      "`/.well-known/` and `/api/oauth/`.",
  },
  {
    id: "resource-mismatch",
    says: [
      "Protected resource … does not match expected … (or origin)",
      "Protected Resource Metadata resource … does not match MCP server resolved resource …",
    ],
    means:
      "The URL in the client differs from the service’s own: `http` instead of `https`, another host name, or " +
      "a trailing slash.",
    todo: `Give the client exactly \`${connector}\`. The administrator sets the host name with \`PARQUETRY_BASE_URL\`.`,
  },
  {
    id: "redirect",
    says: [
      "Invalid redirect URI",
      "redirect_uris are not registered for this client",
      "redirect_uri did not match any of the client's registered redirect_uris",
    ],
    means: "The client was registered earlier with a different redirect URI.",
    todo: "Remove the server and its saved sign-in from the client, and add it again; the client then registers again.",
  },
  {
    id: "loop",
    says: ["Error POSTing to endpoint (HTTP 401)", "401 status sending message to …"],
    means:
      "The credential is missing or invalid. If this repeats after signing in, the token is for the " +
      "connector’s other URL, or a proxy removes the `Authorization` header.",
    todo:
      "Paste the key or token into the [test](#test) to see which. Then sign in again, or create a new " +
      "[key](/settings/access).",
  },
  {
    id: "not-acceptable",
    says: ["Not Acceptable: Client must accept both application/json and text/event-stream"],
    means: "This service accepts any `Accept` header, so the message comes from a gateway or another server.",
    todo: "Check the URL and any proxy in front of the service.",
  },
  {
    id: "sse",
    says: [
      "405 status sending message to …, will attempt to fall back to legacy SSE",
      "Failed to open SSE stream",
      'Invalid content type, expected "text/event-stream"',
    ],
    means:
      "The client tried to open an SSE stream, which this service does not offer: `GET` returns 405, as the " +
      "protocol specifies, and clients continue. If the client treats it as an error, SSE is configured, or a " +
      "redirect turned POST into GET.",
    todo:
      'Choose Streamable HTTP (`"type": "http"`) with exactly this URL: no `/sse`, no trailing slash, ' +
      "`https` if the service uses it.",
  },
  {
    id: "origin",
    says: ["Pages of this origin may not call the connector", "403 forbidden_origin"],
    means: "The client is a web page of another site. Programs send no `Origin` and are not affected.",
    todo: "Use the client’s proxy, or ask the administrator to add the page’s origin to `CONNECTOR_ALLOWED_ORIGINS`.",
  },
  {
    id: "host",
    says: ["This host name is not the service's own"],
    means: "The request used a host name that the service does not recognise as its own.",
    todo:
      "The administrator sets `PARQUETRY_BASE_URL` to the public URL and configures the proxy to forward the " +
      "host name.",
  },
  {
    id: "timeout",
    says: ["MCP error -32001: Request timed out"],
    means: "No response arrived in time. Calls take seconds, so something in between delays them.",
    todo:
      "Run the [test](#test) and check the times. Configure the proxy not to buffer responses and to allow " +
      "them a minute.",
  },
  {
    id: "limits",
    says: ["rate_limited", "daily_quota_exhausted"],
    means: "The key, connection or IP address has used up its [quota](/docs/limits).",
    todo: "Retry after the time given in the reply. A key or a connection has its own quota.",
  },
];

export const messageRows = (connector: string): readonly TableRow[] =>
  messages(connector).map(({ id, says, means, todo }) => ({
    id,
    cells: [
      says.map((message) => `“${message}”`).join(", "),
      `${means} **What to do:** ${todo.slice(0, 1).toLowerCase()}${todo.slice(1)}`,
    ],
  }));
