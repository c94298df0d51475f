import { skillMarkdown } from "@/lib/describe/agent-skill";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/markdown; charset=utf-8",
  (_path, ctx) => skillMarkdown(ctx.baseUrl),
);
