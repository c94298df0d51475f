import { readCitation } from "@/app/read-citation";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/x-research-info-systems; charset=utf-8",
  async (path, ctx) => (await readCitation(path, ctx)).ris,
);
