import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { sessionCookieName } from "@/lib/auth/session";
import { type CacheKey, cacheKeyOf } from "@/lib/http/cacheable-pages";
import { cookieOf } from "@/lib/http/credentials";
import { ADDRESS_HEADER, MARK_HEADER } from "@/lib/http/listener-mark";
import { takePageMarks } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { measure } from "@/lib/kernel/telemetry";
import { PageTurns, untilOver } from "@/lib/server/page-turns";
import { STATIC_PREFIX } from "@/lib/server/static-assets";
import { PageTemplate } from "./page-template";
import { type Handler, type RenderedReply, renderPage } from "./render-page";
import { type RenderedPage, sendRendered } from "./send-rendered";

export interface PageCacheOptions {
  /** A value that changes whenever what public pages show changes. Called before each page is looked up. */
  generation: () => Promise<string>;
  /** Memory for pages; 0 disables the cache. */
  bytes: number;
  now?: () => number;
}

interface CachedPage {
  generation: string;
  /** The sequence number of its rendering in this process, in order of beginning. */
  drawing: number;
  until: number;
  page: RenderedPage;
}

interface Drawing {
  page: RenderedPage | undefined;
  isCacheable: boolean;
}

/** Pages show ages and the latest readings of sources, so a cached page may be at most this old. */
const CACHED_MS = 10_000;
/** A page this old is rendered again while its readers get the cached one, so readers of a popular page never wait. */
const AHEAD_MS = 7_000;
/** Memory for a page in addition to its bytes. */
const OVERHEAD_BYTES = 4096;
/** The share of the room for URLs with a query, since anybody can invent any number of them. */
const QUERIED_SHARE = 1 / 4;
const LARGEST_SHARE = 1 / 16;

/** The user agent that makes the framework treat the client as a program that cannot read streamed heads. */
const PROGRAM = "Bingbot";
const PROGRAMS = /bot|crawl|spider|preview|slurp|google|facebook|whatsapp|yandex|lighthouse|archiver|embedly|vkshare/i;

/** What a reader asks for, under the generation that was current when they asked. */
interface PageRequest {
  address: CacheKey;
  name: string;
  generation: string;
  nonce: string;
}

/**
 * Renders each public page once for all its readers, as long as nothing that it shows has changed, and sends it with a
 * new nonce in each reply. All pages are rendered in turns by caller. Authorization and rate limits are applied before.
 */
export function withPageCache(next: Handler, options: PageCacheOptions): Handler {
  const pages = new PageCache(next, options);
  return (req, res) => (req.url?.startsWith(STATIC_PREFIX) ? next(req, res) : pages.handle(req, res));
}

class PageCache {
  readonly #options: Required<PageCacheOptions>;
  readonly #named: LRUCache<string, CachedPage>;
  readonly #queried: LRUCache<string, CachedPage>;
  /** Renderings that have got their turn, so that their readers wait for nobody else's. */
  readonly #drawing = new Map<string, Promise<Drawing>>();
  readonly #turns = new PageTurns();
  #drawings = 0;

  constructor(
    private readonly next: Handler,
    options: PageCacheOptions,
  ) {
    this.#options = { now: Date.now, ...options };
    this.#named = roomFor(options.bytes * (1 - QUERIED_SHARE));
    this.#queried = roomFor(options.bytes * QUERIED_SHARE);
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = await this.#requestOf(req);
    if (!request) return this.#renderForReader(req, res);
    let page = this.#cached(request)?.page;
    const isCached = page !== undefined;
    measure("caches", 1, { cache: "pages", result: isCached ? "hit" : "miss" });
    while (!page) {
      const under = this.#drawing.get(runningOf(request));
      const drawing = await (under?.catch(() => undefined) ?? this.#renderInTurn(req, request, untilOver(req, res)));
      // what cannot be cached is rendered for its reader only
      if (under && !drawing?.isCacheable) return this.#renderForReader(req, res);
      if (drawing && !drawing.page) return this.#renderForReader(req, res);
      page = drawing?.page ?? this.#cached(request)?.page;
    }
    // what does not exist for everybody may be a private dataset of its signed-in reader
    if (page.status === 404 && isSignedIn(req)) return this.#renderForReader(req, res);
    sendRendered(req, res, page, request.nonce);
    if (isCached) this.#renderAhead(req, request);
  }

  async #requestOf(req: IncomingMessage): Promise<PageRequest | undefined> {
    const { bytes, generation: read } = this.#options;
    const address = bytes === 0 ? undefined : cacheKeyOf(req);
    const nonce = req.headers[NONCE_HEADER];
    if (!address || typeof nonce !== "string") return undefined;
    const generation = await read().catch(() => undefined);
    return generation === undefined ? undefined : { address, name: nameOf(req, address), generation, nonce };
  }

  #cached({ address, name, generation }: PageRequest): CachedPage | undefined {
    const cached = this.#room(address).get(name);
    return cached?.generation === generation && this.#options.now() < cached.until ? cached : undefined;
  }

  #renderForReader(req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.#turns.run(() => this.next(req, res), untilOver(req, res));
  }

  /** Undefined if another reader's rendering has begun or ended in the meantime. */
  #renderInTurn(req: IncomingMessage, request: PageRequest, signal?: AbortSignal): Promise<Drawing | undefined> {
    const isRendered = () => this.#drawing.has(runningOf(request)) || this.#cached(request) !== undefined;
    return this.#turns.run(async () => (isRendered() ? undefined : await this.#render(req, request)), signal);
  }

  /** Renders a page again that will soon be too old. */
  #renderAhead(req: IncomingMessage, request: PageRequest): void {
    const isDue = () => {
      const cached = this.#cached(request);
      return (
        cached && !this.#drawing.has(runningOf(request)) && this.#options.now() >= cached.until - CACHED_MS + AHEAD_MS
      );
    };
    if (!isDue()) return;
    const rendered = this.#turns.run(async () => isDue() && (await this.#render(req, request)));
    rendered.catch(() => undefined); // the next reader renders it
  }

  #room = ({ isMadeUp }: CacheKey) => (isMadeUp ? this.#queried : this.#named);

  #render(req: IncomingMessage, request: PageRequest): Promise<Drawing> {
    const { address, name, generation } = request;
    const until = this.#options.now() + CACHED_MS;
    this.#drawings += 1;
    const drawing = this.#drawings;
    const started = renderFor(this.next, req, address);
    const running = runningOf(request);
    this.#drawing.set(running, started);
    const over = () => this.#drawing.delete(running);
    const store = ({ page, isCacheable }: Drawing) => {
      over();
      const size = OVERHEAD_BYTES + (page?.body.heldBytes ?? 0);
      const room = this.#room(address);
      // a rendering that began before the stored one shows an earlier state
      const isLatest = drawing > (room.peek(name)?.drawing ?? 0);
      if (page && isCacheable && isLatest) room.set(name, { generation, drawing, until, page }, { size });
    };
    started.then(store, over);
    return started;
  }
}

const isSignedIn = ({ headers }: IncomingMessage): boolean =>
  cookieOf(headers.cookie ?? null, sessionCookieName()) !== undefined;

const runningOf = ({ generation, name }: PageRequest): string => `${generation} ${name}`;

const roomFor = (bytes: number) =>
  new LRUCache<string, CachedPage>({
    maxSize: Math.max(1, Math.floor(bytes)),
    maxEntrySize: Math.max(1, Math.floor(bytes * LARGEST_SHARE)),
  });

/** Programs that read pages get one whose head is complete when it is rendered. Browsers get the usual one. */
const isProgram = ({ "user-agent": agent = "" }: IncomingHttpHeaders): boolean => PROGRAMS.test(agent);

/** One name for all the inputs of a rendering. */
const nameOf = ({ headers }: IncomingMessage, { url, router }: CacheKey): string =>
  JSON.stringify([isProgram(headers), url, ...Object.entries(router)]);

/**
 * Renders the page for a reader. The page learns only the reader's address, which its queries are counted for. Rejects
 * with the page's own failure if that is why it could not be rendered.
 */
async function renderFor(next: Handler, { headers }: IncomingMessage, { url, router }: CacheKey): Promise<Drawing> {
  const own = String(headers[NONCE_HEADER]);
  const nonce = randomBytes(18).toString("base64");
  const policy = String(headers["content-security-policy"]).replaceAll(own, nonce);
  try {
    const rendered = await renderPage(next, url, {
      ...taken(headers, ["x-forwarded-for", "x-forwarded-proto", "x-request-id", ADDRESS_HEADER, MARK_HEADER]),
      ...(isProgram(headers) && { "user-agent": PROGRAM }),
      ...router,
      host: "localhost",
      accept: "text/html",
      "content-security-policy": policy,
      [NONCE_HEADER]: nonce,
    });
    const { status = rendered.status, isPassing = false, isPrivate = false, failure } = takePageMarks(nonce);
    if (failure && status >= 500) throw failure;
    const body = await PageTemplate.from(rendered.body, nonce);
    return {
      page: body && { status, isOwnStatus: status !== rendered.status, headers: rendered.headers, nonce, body },
      isCacheable: status === 200 && !isPassing && !isPrivate && isWhole(rendered),
    };
  } finally {
    takePageMarks(nonce);
  }
}

const taken = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** Marks of a part that failed after the page's head: in its markup, and in the data for its script. */
const FAILED = ["data-dgst=", ':E{\\"digest\\"', ':E{"digest"'];

const isWhole = ({ headers, body }: RenderedReply): boolean =>
  /^text\/(?:html|x-component)\b/.test(String(headers["content-type"])) &&
  headers["set-cookie"] === undefined &&
  FAILED.every((mark) => !body.includes(mark));
