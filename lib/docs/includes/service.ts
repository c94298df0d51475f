import { oidcSettings, settingDefault } from "@/lib/cli/env-example";
import { whoOf } from "@/lib/docs/access-groups";
import commands from "@/lib/docs/commands.json" with { type: "json" };
import { type Block, h2, h3, type Include, name, table, text } from "@/lib/docs/doc";
import { operationPath } from "@/lib/docs/operation-list";
import { DOC_ENTRIES, docPath } from "@/lib/docs/page-list";
import { NO_TABLE, SAMPLE_DATASETS } from "@/lib/docs/samples/sample";
import { SETTINGS } from "@/lib/kernel/env";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLBOX } from "@/lib/mcp/tools";
import { TAGS, tagOf } from "@/lib/openapi/document";
import { ROUTED } from "@/lib/operations/registry";
import { NEWS_KIND_NAMES, NEWS_KINDS, VIEW_EVENTS } from "@/lib/schemas/news-kinds";

const CALLERS: Readonly<Record<Tool["access"], string>> = {
  connector_open: "anyone",
  connector_read: "a use key, a connected agent or a device",
  connector_change: "a connected agent or a device",
  connector_build: "a connected agent or a device with datasets:build, in a workspace on a paid plan",
};

/** Settings by topic; the first match decides. */
const TOPICS: Readonly<Record<string, RegExp>> = {
  Limits: /^(?:LIMIT|ROWS|BYTES|ARTIFACT)_/,
  "Query engine": /^(?:QUER|READ_COPIES)/,
  "Email and sign-in": /^(?:SMTP|MAIL|GITHUB|GOOGLE|OIDC|SIGN_IN)_/,
  Plans: /^STRIPE_/,
  "The service": /^/,
};

const NAME = "parquetry";

/** Links that open clients with the connector's URL. */
const OPENERS: Readonly<Record<string, (connector: string) => string>> = {
  // cursor.com/docs/mcp/install-links: the server's part of mcp.json, as base64
  Cursor: (url) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}` +
    `&config=${encodeURIComponent(Buffer.from(JSON.stringify({ url })).toString("base64"))}`,
  "VS Code": (url) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: "http", url }))}`,
  Goose: (url) => {
    const asked = {
      url,
      type: "streamable_http",
      id: NAME,
      name: "Parquetry",
      description: "Open datasets: search, query, cite",
      timeout: "300",
    };
    const query = Object.entries(asked).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return `goose://extension?${query.join("&")}`;
  },
};

/** Anchors of the first docs page, from when it was the only one. */
const ANCHORS: Readonly<Record<string, string>> = {
  accounts: "security",
  access: "access",
  api: "routes",
  query: "operators",
  types: "functions",
  limits: "limits",
  errors: "errors",
};

/** The service: its pages, routes, tools, commands, settings and events, and how clients connect to it. */
export const SERVICE: Readonly<Record<string, Include>> = {
  "docs-pages": () => {
    const links = DOC_ENTRIES.filter(({ slug }) => slug !== "").map(({ slug, title, summary }) => ({
      href: docPath(slug),
      title,
      text: summary,
      ...(ANCHORS[slug] && { id: ANCHORS[slug] }),
    }));
    return [{ kind: "links", links }];
  },
  "missing-datasets": ({ place }) =>
    SAMPLE_DATASETS.every((slug) => place.tableIds.has(slug))
      ? ""
      : `The examples use showcase datasets, some of which are missing here: replace \`${NO_TABLE}\` with the ID of ` +
        "one of your tables.",
  /** Clients that run elsewhere can only reach public URLs. */
  "reach-of-url": ({ place: { base } }) => {
    const { protocol, hostname } = new URL(base);
    const own = `This service’s URL is \`${base}\``;
    if (hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127."))
      return `${own}: programs on the same computer can reach it, Claude and ChatGPT cannot.`;
    return protocol === "https:"
      ? ""
      : `${own}, without TLS: Claude and ChatGPT require \`https\`, as does sign-in from most programs.`;
  },
  /** `{{add-to Cursor: text}}`: a link that opens the client itself, which asks before it adds anything. */
  "add-to": ({ place: { base } }, argument) => {
    const [client = "", words = ""] = argument.split(": ");
    const href = OPENERS[client]?.(`${base}/api/mcp`);
    if (href === undefined) throw new Error(`no link opens ${client}`);
    return [{ kind: "links", links: [{ href, title: `Add to ${client}`, text: words }] }];
  },
  "connection-test": () => [{ kind: "connection test" }],
  tools: () => {
    const rows = TOOLBOX.all.map(({ name: tool, access, description }) => [name(tool), CALLERS[access], description]);
    return [table("Tools of the connector", ["Tool", "Credential", "What it does"], rows)];
  },
  routes: () =>
    TAGS.flatMap(({ name: tag, description }) => {
      const rows = ROUTED.filter((operation) => tagOf(operation) === tag).map((operation) => [
        `[${operation.summary}](${operationPath(operation.name)})`,
        `\`${operation.http.method} ${operation.http.path}\``,
        whoOf(operation.access),
      ]);
      return [
        h2(tag === "account" ? "account" : `routes-${tag}`, `${tag[0]?.toUpperCase()}${tag.slice(1)}`),
        text(description),
        table(`Routes: ${tag}`, ["Operation", "Route", "Credential"], rows),
      ];
    }),
  events: () => {
    const rows = NEWS_KIND_NAMES.map((kind) => [
      name(kind),
      NEWS_KINDS[kind].meaning,
      NEWS_KINDS[kind].isOpen ? "Anyone who can read the dataset" : "Members of its workspace",
    ]);
    const ofViews = Object.entries(VIEW_EVENTS).map(([kind, { meaning }]) => [
      name(kind),
      meaning,
      "The person who saved the view",
    ]);
    return [table("Events", ["Event", "When", "Who may watch"], [...rows, ...ofViews])];
  },
  /** `{{settings Limits}}`: those of a topic. */
  settings: (_, topic) => {
    if (!TOPICS[topic]) throw new Error(`unknown topic of settings ${topic}`);
    const rows = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[])
      .filter((key) => Object.keys(TOPICS).find((each) => TOPICS[each]?.test(key)) === topic)
      .map((key) => [
        name(key),
        settingDefault(key) === "" ? "–" : name(settingDefault(key)),
        SETTINGS.shape[key].description ?? "",
      ]);
    return [table(`Settings: ${topic}`, ["Setting", "Default", "Description"], rows)];
  },
  /** `{{provider-settings}}`: those of one OpenID Connect provider. */
  "provider-settings": () => {
    const rows = oidcSettings().map((each) => [
      name(each.name),
      each.fallback === "" ? "–" : name(each.fallback),
      each.description,
    ]);
    return [table("Settings: a provider", ["Setting", "Default", "Description"], rows)];
  },
  commands: () => [...new Set(commands.map(familyOf))].flatMap(familyBlocks),
};

type Described = (typeof commands)[number];

const wordsOf = ({ usage }: Described) => usage.split(" ").filter((word) => /^[a-z-]+$/.test(word));
const familyOf = (command: Described): string => wordsOf(command)[0] ?? "";
const idOf = (command: Described): string => wordsOf(command).join("-");

function familyBlocks(family: string): Block[] {
  const members = commands.filter((command) => familyOf(command) === family);
  const [first] = members;
  if (members.length === 1 && first) return [h2(family, `\`${first.usage}\``), ...commandBlocks(first)];
  return [
    h2(family, `\`${family}\``),
    ...members.flatMap((command) => [h3(idOf(command), `\`${command.usage}\``), ...commandBlocks(command)]),
  ];
}

function commandBlocks({ description, options, more }: Described): Block[] {
  const fields = options.map((option) => ({
    name: option.flags,
    type: "",
    isRequired: option.isRequired,
    text: `${option.description}.`.replace(/\.\.$/, "."),
  }));
  return [
    text(description),
    ...(fields.length > 0 ? [{ kind: "fields" as const, label: "Options", fields }] : []),
    ...(more ? [{ kind: "code" as const, label: "More", language: "text" as const, code: more }] : []),
  ];
}
