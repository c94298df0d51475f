import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build } from "esbuild";

/** The policy of hosts for an app that requests no origin (MCP Apps, 2026-01-26). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'";

/** An app's page as a host puts it into a frame. */
export const underPolicy = (html: string): string =>
  html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);

/**
 * A host of apps, like a chat program: one page with an empty frame, which runs scripts and has no origin. The page's
 * script is e2e/app-host-page.ts, on the bridge of the extension's own package.
 */
export async function appHost(): Promise<{ url: string; close(): void }> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, "app-host-page.ts")],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
  });
  const script = (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><main><h1>Host</h1>' +
    '<iframe title="Result" sandbox="allow-scripts" style="width: 100%; border: 0"></iframe></main>' +
    `<script>${script}</script>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(html);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => void server.close() };
}
