import { catalogueMarkdown } from "@/lib/describe/dataset-markdown";
import { serveDocument } from "@/lib/http/serve-document";
import { catalogueDocument } from "@/lib/operations/reading/catalogue-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/plain; charset=utf-8",
  catalogueDocument("llms-full", catalogueMarkdown),
);
