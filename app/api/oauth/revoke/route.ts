import { revoke } from "@/lib/auth/oauth/token-management";
import { serveForm } from "@/lib/http/oauth-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm((form, ctx) => revoke(form, ctx.now()));
