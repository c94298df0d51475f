import { resolve } from "node:path";
import type { McpServer } from "@modelcontextprotocol/server";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { processWide } from "@/lib/kernel/process-wide";
import type { AppFacts } from "@/lib/operations/app-facts";
import { buildResultApp } from "./build-result-app";

export const APPS_EXTENSION = "io.modelcontextprotocol/ui";
/** The app that shows results of tools in clients that support apps (SEP-1865). */
export const RESULT_APP_URI = "ui://parquetry/result";
export const RESULT_APP_MEDIA = "text/html;profile=mcp-app";

/** It needs no network, so it requests no origin. */
const LOOK = { ui: { prefersBorder: true } };

/** What the list of tools contains for a tool whose results the app shows. */
export const TOOL_WITH_APP = { ui: { resourceUri: RESULT_APP_URI } };

/**
 * What a result has in addition to what a model reads: the app's own copy, as text, since hosts parse JSON with
 * doubles.
 */
export const appMeta = (app: AppFacts, structured: object): Record<string, unknown> => ({
  "parquetry/result": stringifyExactJson({ ...app, structured }),
});

/** The app's page as a resource. */
export function addResultApp(server: McpServer): void {
  const about = {
    title: "Result",
    description: "Shows rows, versions and comparisons as a chart or a table, with citation and link.",
    mimeType: RESULT_APP_MEDIA,
    _meta: LOOK,
  };
  server.registerResource("result", RESULT_APP_URI, about, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: RESULT_APP_MEDIA, text: await page(), _meta: LOOK }],
  }));
}

/** Built when it is first read: it is the same for everybody. */
const page = (): Promise<string> =>
  processWide("result-app", () => buildResultApp(resolve(import.meta.dirname, "../..")));
