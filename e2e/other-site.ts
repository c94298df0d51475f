import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtherSite {
  /** The URL of its page with this HTML. */
  url(html: string): string;
  close(): void;
}

/** Somebody else's site, whose pages contain whatever HTML their URL holds. */
export function otherSite(): Promise<OtherSite> {
  const server = createServer((request, response) => {
    const html = new URL(request.url ?? "/", "http://x").searchParams.get("html") ?? "";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><title>Another site</title>${html}`);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: (html) => `http://127.0.0.1:${port}/?html=${encodeURIComponent(html)}`,
        close: () => void server.close(),
      });
    }),
  );
}
