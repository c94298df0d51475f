import "server-only";
import { createElement, type ReactElement } from "react";
import { EMBED_THEMES, type EmbedTheme } from "@/components/embed/embed-data";
import { EmbedDocument } from "@/components/embed/embed-document";
import { EmbedProblem, EmbedView } from "@/components/embed/embed-view";
import type { Context } from "@/lib/access/context";
import { takePage } from "@/lib/access/quotas";
import { requestContext } from "@/lib/http/context";
import type { PathParams } from "@/lib/http/endpoint";
import { log } from "@/lib/http/log";
import { cacheableReply, respond } from "@/lib/http/respond";
import { Failure, fail } from "@/lib/kernel/errors";
import { pageText } from "@/lib/kernel/page-text";
import type { Reply } from "@/lib/operations/operation";
import { readEmbed } from "./read-embed";
import { embedStyles } from "./style-sheet";

const HTML = "text/html; charset=utf-8";
/**
 * The endpoint of an embedded view: a complete page without scripts, for any site, cacheable. Errors are shown in the
 * frame.
 */
export async function answerFrame(request: Request, { slug = "", table = "" }: PathParams): Promise<Response> {
  const ctx = requestContext(request);
  const parameters = new URL(request.url).searchParams;
  const theme = themeOf(parameters);
  try {
    if (request.method !== "GET" && request.method !== "HEAD")
      throw fail("method_not_allowed", { headers: { allow: "GET, HEAD" } });
    if (ctx.address !== undefined) await takePage(ctx.address);
    const data = await readEmbed(slug, table, parameters, ctx);
    const html = await page(`${data.dataset.title}: ${data.tableName}`, theme, createElement(EmbedView, { data }));
    return answer(cacheableReply(html, HTML, ctx), ctx);
  } catch (thrown) {
    return answer(await problem(thrown, theme, ctx), ctx);
  }
}

const themeOf = (parameters: URLSearchParams): EmbedTheme =>
  EMBED_THEMES.find((theme) => theme === parameters.get("theme")) ?? "auto";

/** The remaining quota is private to the caller; caches would reveal it to everyone. */
function answer(reply: Reply, ctx: Context): Response {
  return respond(reply, { ...ctx, isPersonal: true, replyHeaders: new Headers() });
}

async function problem(thrown: unknown, theme: EmbedTheme, ctx: Context): Promise<Reply> {
  const failure = thrown instanceof Failure ? thrown : fail("internal", { cause: thrown });
  if (failure.status >= 500)
    log().error({ request_id: ctx.requestId, code: failure.code, err: thrown }, "request failed");
  const details = failure.faults.map(({ message }) => message);
  const body = createElement(EmbedProblem, { message: pageText(failure), details, href: ctx.baseUrl });
  const headers = {
    ...failure.headers,
    "content-type": HTML,
    "cache-control": "no-store",
    ...(failure.retryAfterSeconds !== undefined && {
      "retry-after": String(Math.max(1, Math.ceil(failure.retryAfterSeconds))),
    }),
  };
  return {
    status: failure.status,
    headers,
    body: { kind: "bytes", bytes: Buffer.from(await page(pageText(failure), theme, body)) },
  };
}

/** The renderer is loaded here, because the framework excludes it from its own pages' imports. */
async function page(title: string, theme: EmbedTheme, children: ReactElement): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return (
    "<!doctype " +
    `html>${renderToStaticMarkup(createElement(EmbedDocument, { title, theme, styles: embedStyles().url, children }))}`
  );
}
