import { serveForm } from "@/lib/http/oauth-route";
import { exchange } from "@/lib/oauth/token-endpoint";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm((form, ctx) => exchange(form, ctx.now()));
