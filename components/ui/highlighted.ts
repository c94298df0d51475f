import "server-only";
import type { CodeLanguage } from "@/lib/describe/code-language";
import { processCache } from "@/lib/kernel/cache";
import { type CodeToken, highlight } from "./highlight";

/** A page has about twenty snippets, and tokenizing them takes a tenth of its rendering time. */
const KEPT_MAX = 500;
const cached = () => processCache<CodeToken[][]>("highlighted-code", { capacity: KEPT_MAX });

/** What `highlight` returns, computed once for all pages that contain it. */
export const highlighted = (code: string, language: CodeLanguage): Promise<readonly (readonly CodeToken[])[]> =>
  cached().get(`${language}\n${code}`, () => highlight(code, language));
