import { skillIndex } from "@/lib/describe/agent-skill";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/json; charset=utf-8",
  (_path, ctx) => JSON.stringify(skillIndex(ctx.baseUrl)),
);
