import { embedStyles } from "@/app/embed/style-sheet";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { nextHandlers } from "@/lib/http/next-handlers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(
  documentEndpoint("text/css; charset=utf-8", () => embedStyles().text),
);
