import { pageMarkdown } from "@/lib/docs/whole-page";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/markdown; charset=utf-8",
  (path, ctx) => pageMarkdown(path.page ?? "", ctx),
);
