import { registerClient } from "@/lib/auth/oauth/registration";
import { serveJson } from "@/lib/http/oauth-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveJson((body, ctx) => registerClient(body, ctx.now()));
