import { pageMarkdown } from "@/lib/docs/whole-page";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { nextHandlers } from "@/lib/http/next-handlers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(
  documentEndpoint("text/markdown; charset=utf-8", (path, ctx) => pageMarkdown(path.page ?? "", ctx)),
);
