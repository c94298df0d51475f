import { sitemapXml } from "@/lib/describe/sitemap";
import { OPERATION_ENTRIES } from "@/lib/docs/operation-list";
import { DOC_ENTRIES, docPath } from "@/lib/docs/page-list";
import { serveDocument } from "@/lib/http/serve-document";
import { catalogueDocument } from "@/lib/operations/reading/catalogue-document";

/** The routes of accounts are for the service's own pages: nobody looks for them. */
const DOCS = [...DOC_ENTRIES, ...OPERATION_ENTRIES.filter(({ tag }) => tag !== "account")].map(({ slug }) =>
  docPath(slug),
);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/xml; charset=utf-8",
  catalogueDocument("sitemap", (datasets, baseUrl) => sitemapXml(datasets, baseUrl, DOCS)),
);
