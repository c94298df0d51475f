import { serveForm } from "@/lib/http/oauth-route";
import { revoke } from "@/lib/oauth/token-management";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm((form, ctx) => revoke(form, ctx.now()));
