import { exchange } from "@/lib/auth/oauth/token-endpoint";
import { serveForm } from "@/lib/http/oauth-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm((form, ctx) => exchange(form, ctx.now()));
