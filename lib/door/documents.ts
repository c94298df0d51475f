import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { RECIPE_SCHEMA_PATH, recipeJsonSchema } from "@/lib/builds/json-schema";
import {
  BUILD_SKILL_PATH,
  buildSkillMarkdown,
  SKILL_PATH,
  skillIndex,
  skillMarkdown,
} from "@/lib/describe/agent-skill";
import { AI_CATALOG_MEDIA, aiCatalog } from "@/lib/describe/ai-catalog";
import { API_CATALOG_MEDIA, apiCatalog } from "@/lib/describe/api-catalog";
import { catalogueFeed } from "@/lib/describe/catalogue-feed";
import { catalogueMarkdown, datasetMarkdown } from "@/lib/describe/dataset-markdown";
import { dcatCatalogue } from "@/lib/describe/dcat";
import { CATALOGUE_FEED_PATH } from "@/lib/describe/links";
import { llmsTxt } from "@/lib/describe/llms-txt";
import { securityTxt } from "@/lib/describe/security-txt";
import { robotsTxt, sitemapPart, sitemapParts, sitemapXml } from "@/lib/describe/sitemap";
import { versionsFeed } from "@/lib/describe/versions-feed";
import { OPERATION_ENTRIES } from "@/lib/docs/operation-list";
import { DOC_ENTRIES, docPath } from "@/lib/docs/page-list";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import type { Endpoint, PathParams } from "@/lib/http/endpoint";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { connectorDescriptor, serverCard } from "@/lib/mcp/server-card";
import {
  authorizationServerMetadata,
  type ConnectorPath,
  protectedResourceMetadata,
} from "@/lib/oauth/server-metadata";
import { NPM_CLIENT_PATH, npmClient, PYTHON_CLIENT_PATH, pythonClient } from "@/lib/openapi/clients";
import { openApiDocument } from "@/lib/openapi/document";
import { execute } from "@/lib/operations/execute";
import { getCitation } from "@/lib/operations/get-citation";
import { getDataset } from "@/lib/operations/get-dataset";
import { listVersions } from "@/lib/operations/list-versions";
import { catalogueDocument, catalogueText } from "@/lib/operations/reading/catalogue-document";
import type { Dataset } from "@/lib/schemas/dataset";
import { publicCatalogue } from "@/lib/store/catalogue/public-catalogue";
import { openNews } from "@/lib/store/news/news";
import type { Route } from "./route-table";

const TEXT = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const JSON_UTF8 = "application/json; charset=utf-8";
const XML = "application/xml; charset=utf-8";
const BIBTEX = "application/x-bibtex; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";
const RIS = "application/x-research-info-systems; charset=utf-8";
const CSL_JSON = "application/vnd.citationstyles.csl+json; charset=utf-8";
const YAML = "application/yaml; charset=utf-8";

/** Without the account routes, which are only for the service's own pages. */
const DOC_PATHS = [...DOC_ENTRIES, ...OPERATION_ENTRIES.filter(({ tag }) => tag !== "account")].map(({ slug }) =>
  docPath(slug),
);

type Write = Parameters<typeof documentEndpoint>[1];

const document = (path: string, mediaType: string, write: Write): Route<Endpoint> => ({
  path,
  target: documentEndpoint(mediaType, write),
});

const json = (path: string, write: (base: string) => unknown, mediaType = JSON_UTF8): Route<Endpoint> =>
  document(path, mediaType, (_path, { baseUrl }) => JSON.stringify(write(baseUrl)));

const protectedResource = (path: string, resource: ConnectorPath): Route<Endpoint> =>
  json(
    `/.well-known/oauth-protected-resource${path}`,
    (base) => protectedResourceMetadata(base, resource),
    "application/json",
  );

/** How to cite what a page shows, as files for reference managers and citation processors. */
const citations = (page: string): Route<Endpoint>[] =>
  (
    [
      ["bib", BIBTEX, "bibtex"],
      ["ris", RIS, "ris"],
      ["json", CSL_JSON, "csl_json"],
      ["cff", YAML, "cff"],
    ] as const
  ).map(([extension, mediaType, form]) =>
    document(`${page}/cite.${extension}`, mediaType, async (params, ctx) => (await readCitation(params, ctx))[form]),
  );

/** Documents that are not operations: for crawlers, agents, catalogues and reference managers. */
export const DOCUMENTS: readonly Route<Endpoint>[] = [
  json("/api/v2/public/openapi.json", (base) => openApiDocument(base)),
  json(RECIPE_SCHEMA_PATH, recipeJsonSchema, "application/schema+json"),
  json("/api/mcp/server-card", serverCard, "application/mcp-server-card+json"),
  json("/.well-known/agent-skills/index.json", skillIndex),
  document(SKILL_PATH, MARKDOWN, (_path, { baseUrl }) => skillMarkdown(baseUrl)),
  document(BUILD_SKILL_PATH, MARKDOWN, (_path, { baseUrl }) => buildSkillMarkdown(baseUrl)),
  document(PYTHON_CLIENT_PATH, "text/x-python; charset=utf-8", (_path, { baseUrl }) => pythonClient(baseUrl)),
  document(NPM_CLIENT_PATH, "application/gzip", (_path, { baseUrl }) => npmClient(baseUrl)),
  json("/.well-known/api-catalog", apiCatalog, API_CATALOG_MEDIA),
  json("/.well-known/ai-catalog.json", aiCatalog, AI_CATALOG_MEDIA),
  json("/.well-known/mcp.json", connectorDescriptor),
  document("/.well-known/mcp-registry-auth", TEXT, registryProof),
  json("/.well-known/oauth-authorization-server", authorizationServerMetadata, "application/json"),
  protectedResource("", "/api/mcp"),
  protectedResource("/api/mcp", "/api/mcp"),
  protectedResource("/api/mcp/account", "/api/mcp/account"),
  document("/.well-known/security.txt", TEXT, (_path, ctx) => security(ctx)),
  document("/robots.txt", TEXT, (_path, { baseUrl }) => robotsTxt(baseUrl)),
  document("/sitemap.xml", XML, (_path, ctx) => sitemap(ctx)),
  document("/sitemaps/{part}", XML, ({ part = "" }, ctx) => partOfSitemap(part, ctx)),
  document("/llms.txt", TEXT, catalogueDocument("llms", llmsTxt)),
  document(CATALOGUE_FEED_PATH, ATOM, catalogueDocument("feed", catalogueFeed)),
  document("/llms-full.txt", TEXT, catalogueDocument("llms-full", catalogueMarkdown)),
  document("/catalog.jsonld", "application/ld+json; charset=utf-8", catalogueDocument("dcat", dcatCatalogue)),
  document("/datasets/{slug}/llms.txt", MARKDOWN, async (path, ctx) => datasetMarkdown(await datasetOf(path, ctx))),
  document("/datasets/{slug}/versions.atom", ATOM, feed),
  document("/datasets/{slug}/{table}/versions.atom", ATOM, feed),
  ...citations("/datasets/{slug}"),
  ...citations("/datasets/{slug}/versions/{version_id}"),
];

const sitemap = (ctx: Context) =>
  catalogueText("sitemap", ctx, ({ datasets }, { baseUrl }) =>
    sitemapXml(datasets, { base: baseUrl, docs: DOC_PATHS }),
  );

const PART = /^(\d{1,5})\.xml$/;

/** For catalogues that are too large for one sitemap. */
async function partOfSitemap(file: string, ctx: Context) {
  const part = Number(PART.exec(file)?.[1] ?? Number.NaN);
  const { datasets } = await publicCatalogue(ctx.now());
  if (!(part <= sitemapParts(datasets))) throw fail("not_found");
  return catalogueText(`sitemap ${part}`, ctx, ({ datasets }, { baseUrl }) =>
    sitemapPart(part, datasets, { base: baseUrl, docs: DOC_PATHS }),
  );
}

function security({ baseUrl, now }: Context): string {
  const contact = env().PARQUETRY_CONTACT;
  if (!contact) throw fail("not_found"); // the file means nothing without a contact (RFC 9116 section 2.5.3)
  return securityTxt(contact, baseUrl, now());
}

function registryProof(): string {
  const proof = env().MCP_REGISTRY_AUTH;
  if (!proof) throw fail("not_found");
  return `${proof}\n`;
}

const datasetOf = (path: PathParams, ctx: Context): Promise<Dataset> =>
  execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx);

const FEED_NEWS = 100;

async function feed(path: PathParams, ctx: Context): Promise<string> {
  const { slug = "", table } = path;
  const dataset = await datasetOf({ slug }, ctx);
  const found = table === undefined ? dataset.tables : dataset.tables.filter((one) => one.slug === table);
  if (found.length === 0 && table !== undefined) throw fail("not_found");
  const histories = found.map(({ tableId }) => execute(listVersions, { path: { table_id: tableId } }, ctx));
  const news = await openNews(readerOf(ctx), { dataset: dataset.slug, limit: FEED_NEWS });
  const contents = { histories: await Promise.all(histories), news, ...(table !== undefined && { table }) };
  return versionsFeed(dataset, contents, ctx.baseUrl);
}

/** How to cite the resource that a path names: a dataset's current versions, or the version at the end of the path. */
const readCitation = ({ slug = "", version_id }: PathParams, ctx: Context) =>
  execute(getCitation, { path: { slug }, query: version_id === undefined ? {} : { version_id } }, ctx);
