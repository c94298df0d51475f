import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { typescriptTypes } from "@/lib/describe/typescript-types";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { tar } from "@/lib/kernel/tar";
import packageJson from "@/package.json" with { type: "json" };
import { openApiDocument } from "./document";

/** The clients have the same version as the service that serves them. */
export const CLIENT_VERSION = packageJson.version;
export const PYTHON_CLIENT_PATH = "/clients/parquetry.py";
export const NPM_CLIENT_PATH = `/clients/parquetry-${CLIENT_VERSION}.tgz`;

const QUERY_PATH = "/api/v2/public/tables/{table_id}/query";
const PACKED = ["parquetry.mjs", "sync.mjs", "parquetry.d.mts", "cli.mjs"] as const;

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

/** The JavaScript client as `npm install URL` takes it: code, types made from the OpenAPI document, the command line. */
export const npmClient = (base: string): Buffer => processWide(`npm-client ${base}`, () => packed(base));

/** The folder with the compiled programs: that of this one. In Next's own bundle, there are none. */
export const programFolder = (): string => processWide("program-folder", () => import.meta.dirname);

/** The command line without its first lines, compiled for any computer, and the licences of what it contains. */
function commandLine(): (readonly [string, string])[] {
  const files = { "command-line.mjs": "packed-command-line.js", "LICENSES.txt": "packed-licences.txt" };
  return Object.entries(files).map(([name, file]) => {
    const path = join(programFolder(), file);
    if (!existsSync(path)) throw fail("unavailable", { message: "The package is made only by npm start." });
    return [name, readFileSync(path, "utf8")];
  });
}

function packed(base: string): Buffer {
  const files: readonly (readonly [string, string])[] = [
    ["package.json", `${JSON.stringify(manifest(base), null, 2)}\n`],
    ...PACKED.map((name) => [name, sourceOf(join("javascript", name), base)] as const),
    ...commandLine(),
    ["api.d.ts", apiTypes(base)],
    ["README.md", `# parquetry\n\nReads the tables of ${base}, and builds them: ${base}/docs/command-line\n`],
  ];
  return gzipSync(tar(files.map(([name, text]) => [`package/${name}`, Buffer.from(text)])), { level: 9 });
}

const manifest = (base: string) => ({
  name: "parquetry",
  version: CLIENT_VERSION,
  description: `Reads the tables of ${base}, and builds them`,
  homepage: `${base}/docs/clients`,
  license: packageJson.license,
  type: "module",
  engines: { node: ">=22" },
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
