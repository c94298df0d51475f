import Negotiator from "negotiator";
import type { Target } from "./request-target";

const DATASET_PAGE = /^\/datasets\/[^/]+$/;

/** Whether the page at this path is also available as Markdown. */
export const hasMarkdown = (path: string): boolean => DATASET_PAGE.test(path);

/** A dataset's page requested as Markdown becomes its Markdown document. Pure. */
export function markdownTarget(target: Target, method: string | undefined, accept: string | undefined): Target {
  if (
    target.rejected ||
    !hasMarkdown(target.path) ||
    (method !== "GET" && method !== "HEAD") ||
    !prefersMarkdown(accept)
  )
    return target;
  const [path = "", query] = target.url.split("?", 2);
  return {
    ...target,
    path: `${target.path}/llms.txt`,
    url: `${path}/llms.txt${query === undefined ? "" : `?${query}`}`,
  };
}

/** Browsers list text/html. Clients that accept anything get the page. */
const prefersMarkdown = (accept = "*/*"): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(["text/html", "text/markdown"]) === "text/markdown";
