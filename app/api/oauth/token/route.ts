import { serveTokens } from "@/lib/http/oauth-route";
import { exchange } from "@/lib/oauth/token-endpoint";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveTokens((form, ctx) => exchange(form, ctx.now()));
