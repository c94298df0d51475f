import type { TableRow } from "@/lib/docs/doc";

interface Message {
  /** Its anchor. */
  id: string;
  /** As clients write it. */
  says: readonly string[];
  means: string;
  todo: string;
}

/** What clients really say when a connection fails, as their users have reported it. */
const messages = (connector: string): readonly Message[] => [
  {
    id: "not-signed-in",
    says: ["Needs authentication", "Not logged in"],
    means: "No fault: the client waits for you.",
    todo: "Sign in from the client: `/mcp` in Claude Code, `codex mcp login` in Codex, **Connect** elsewhere.",
  },
  {
    id: "unreachable",
    says: ["fetch failed", "ECONNREFUSED", "All connection attempts failed"],
    means:
      "Nothing answers at the address, seen from where the client runs. `localhost` in a container, or on " +
      "another computer, is not this service.",
    todo: "Open the address’s host in a browser there. Run the lines [from a terminal](#terminal) there.",
  },
  {
    id: "not-public",
    says: ["Couldn’t reach …", "Couldn’t connect to the server", "Error fetching OAuth configuration"],
    means:
      "Claude and ChatGPT call from their own servers, and did not get through: a local or private address, " +
      "another port than 443, a certificate that is not trusted, or a firewall.",
    todo:
      "Give the service a public `https` address and set it as `PARQUETRY_BASE_URL`. Let `/api/mcp`, " +
      "`/.well-known/` and `/api/oauth/` pass without a challenge for browsers.",
  },
  {
    id: "no-server-found",
    says: ["Your account was authorized, but no MCP server was found at the provided URL"],
    means: "You are signed in, but the address given to the client is not the connector’s.",
    todo: `Remove the connector, and add it as \`${connector}\`, without a slash at its end.`,
  },
  {
    id: "authorization-failed",
    says: ["Authorization with the MCP server failed"],
    means: "Signing in was broken off: not allowed, left for too long, or its result did not come back.",
    todo: "Connect again. If it stays, run the [test](#test) with a sign-in: it shows the step that fails.",
  },
  {
    id: "registration",
    says: [
      "Incompatible auth server: does not support dynamic client registration",
      "Dynamic Client Registration not supported",
    ],
    means:
      "The client found no document that tells where to register. This service has one, and lets clients " +
      "register themselves: something in front of it answers in its place, or the address is another server’s.",
    todo:
      "Run the [test](#test): “Sign-in server” shows what comes back. Let a proxy pass `/.well-known/` and " +
      "`/api/oauth/` on.",
  },
  {
    id: "resource-mismatch",
    says: [
      "Protected resource … does not match expected … (or origin)",
      "Protected Resource Metadata resource … does not match MCP server resolved resource …",
    ],
    means:
      "The client’s address and the one that the service calls its own differ: `http` and `https`, another " +
      "host name, or a slash at the end.",
    todo: `Give the client exactly \`${connector}\`. An operator sets that name with \`PARQUETRY_BASE_URL\`.`,
  },
  {
    id: "redirect",
    says: [
      "Invalid redirect URI",
      "redirect_uris are not registered for this client",
      "The program asked to be answered at an address that it has not registered.",
    ],
    means: "The client registered earlier with another address to be answered at.",
    todo:
      "Remove the server from the client together with what it has saved of its sign-in, and add it again: it " +
      "then registers anew.",
  },
  {
    id: "loop",
    says: ["Error POSTing to endpoint (HTTP 401)", "401 status sending message to …"],
    means:
      "The credential does not arrive or does not hold. Over and over after signing in: the token is for the " +
      "connector’s other address, or a proxy takes the header `Authorization` away.",
    todo:
      "Paste the key or token into the [test](#test): it says which. Then sign in again, or make a new " +
      "[key](/settings/access).",
  },
  {
    id: "not-acceptable",
    says: ["Not Acceptable: Client must accept both application/json and text/event-stream"],
    means: "This service never says so: it takes any `Accept`. A gateway or another server answered.",
    todo: "Look at the address, and at what stands in front of it.",
  },
  {
    id: "sse",
    says: [
      "405 status sending message to …, will attempt to fall back to legacy SSE",
      "Failed to open SSE stream",
      'Invalid content type, expected "text/event-stream"',
    ],
    means:
      "The client looks for a stream, which is not offered: `GET` is answered with 405, as the protocol has " +
      "it, and clients go on. As an error it means that SSE is configured, or that a redirect made a GET of a " +
      "POST.",
    todo:
      'Choose Streamable HTTP (`"type": "http"`), with the address as it stands here: not `/sse`, no slash at ' +
      "the end, `https` where the service has it.",
  },
  {
    id: "origin",
    says: ["Pages of this origin may not call the connector", "403 forbidden_origin"],
    means:
      "The client is a page in a browser, of another site than the service. Programs send no `Origin` and are " +
      "not asked for one.",
    todo: "Use the client’s proxy, or have the operator name the page’s origin in `CONNECTOR_ALLOWED_ORIGINS`.",
  },
  {
    id: "host",
    says: ["This host name is not the service's own"],
    means: "The request came in under a name that the service does not know as its own.",
    todo: "The operator sets `PARQUETRY_BASE_URL` to the public address, and has the proxy pass the host name on.",
  },
  {
    id: "timeout",
    says: ["MCP error -32001: Request timed out"],
    means: "No answer came in time. Answers take seconds here; something in between holds them back.",
    todo:
      "Run the [test](#test) and look at the times. Have the proxy pass replies on unbuffered and leave them a " +
      "minute.",
  },
  {
    id: "limits",
    says: ["rate_limited", "daily_quota_exhausted"],
    means: "The key, the connection or the address has used up its [allowance](/docs/limits).",
    todo: "Go on after the wait that the reply names. A key or a connection has an allowance of its own.",
  },
];

export const messageRows = (connector: string): readonly TableRow[] =>
  messages(connector).map(({ id, says, means, todo }) => ({
    id,
    cells: [
      says.map((words) => `“${words}”`).join(", "),
      `${means} **What to do:** ${todo.slice(0, 1).toLowerCase()}${todo.slice(1)}`,
    ],
  }));
