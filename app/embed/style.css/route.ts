import { embedStyles } from "@/app/embed/style-sheet";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/css; charset=utf-8",
  () => embedStyles().text,
);
