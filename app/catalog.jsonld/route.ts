import { dcatCatalogue } from "@/lib/describe/dcat";
import { serveDocument } from "@/lib/http/serve-document";
import { catalogueDocument } from "@/lib/operations/reading/catalogue-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/ld+json; charset=utf-8",
  catalogueDocument("dcat", (datasets, baseUrl) => JSON.stringify(dcatCatalogue(datasets, baseUrl))),
);
