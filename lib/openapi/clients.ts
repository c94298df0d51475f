import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { typescriptTypes } from "@/lib/describe/typescript-types";
import { env } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { tar } from "@/lib/kernel/tar";
import packageJson from "@/package.json" with { type: "json" };
import { openApiDocument } from "./document";

/** The clients have the same version as the service that serves them. */
export const CLIENT_VERSION = packageJson.version;
export const PYTHON_CLIENT_PATH = "/clients/parquetry.py";
export const NPM_CLIENT_PATH = `/clients/parquetry-${CLIENT_VERSION}.tgz`;

const QUERY_PATH = "/api/v2/public/tables/{table_id}/query";
const PACKED = ["parquetry.mjs", "parquetry.d.mts", "cli.mjs"] as const;

/** A source of a client with the service's own URL, version and largest page in place of its own. */
function sourceOf(file: string, base: string): string {
  const source = readFileSync(join(resolve(import.meta.dirname, "../.."), "clients", file), "utf8");
  return source
    .replace('"http://localhost:3000"', JSON.stringify(base))
    .replace('"0.0.0"', JSON.stringify(CLIENT_VERSION))
    .replace("ROWS_MAX = 10_000", `ROWS_MAX = ${env().ROWS_KEY}`);
}

/** The Python client: one file that reads this service unless told otherwise. */
export const pythonClient = (base: string): string =>
  processWide(`python-client ${base}`, () => sourceOf("parquetry.py", base));

/** The JavaScript client as `npm install URL` takes it: code, types made from the OpenAPI document, a command. */
export const npmClient = (base: string): Buffer => processWide(`npm-client ${base}`, () => packed(base));

function packed(base: string): Buffer {
  const files: readonly (readonly [string, string])[] = [
    ["package.json", `${JSON.stringify(manifest(base), null, 2)}\n`],
    ...PACKED.map((name) => [name, sourceOf(join("javascript", name), base)] as const),
    ["api.d.ts", apiTypes(base)],
    ["README.md", `# parquetry\n\nReads the tables of ${base}: ${base}/docs/clients\n`],
  ];
  return gzipSync(tar(files.map(([name, text]) => [`package/${name}`, Buffer.from(text)])), { level: 9 });
}

const manifest = (base: string) => ({
  name: "parquetry",
  version: CLIENT_VERSION,
  description: `Reads the tables of ${base}`,
  homepage: `${base}/docs/clients`,
  license: packageJson.license,
  type: "module",
  engines: { node: ">=20" },
  exports: { ".": { types: "./parquetry.d.mts", default: "./parquetry.mjs" } },
  bin: { parquetry: "./cli.mjs" },
});

interface Described {
  components: { schemas: Record<string, object> };
  paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
}

/** Types of every schema of the API, and of the body of a query. */
function apiTypes(base: string): string {
  const { components, paths } = openApiDocument(base) as unknown as Described;
  const query = paths[QUERY_PATH]?.post.requestBody.content["application/json"]?.schema ?? {};
  const types = typescriptTypes({ ...components.schemas, Query: query });
  return `// Made from ${base}/api/v2/public/openapi.json\n\n${types}`;
}
