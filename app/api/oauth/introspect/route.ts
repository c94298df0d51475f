import { serveForm } from "@/lib/http/oauth-route";
import { introspect } from "@/lib/oauth/token-management";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm((form, ctx) => introspect(form, ctx.now()));
