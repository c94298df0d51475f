import { isLosslessNumber } from "lossless-json";
import { z } from "zod";
import { type Reader, readerSchema } from "./recipe-reader";
import {
  columnNameSchema,
  daySchema,
  durationSchema,
  globSchema,
  isDay,
  pointerSchema,
  recipeNameSchema,
  webAddressSchema,
  wholeSchema,
} from "./recipe-values";
import { secretNameSchema } from "./secret";
import { uploadNameSchema } from "./upload";

export const SOURCE_KINDS = ["http", "upload", "package", "table"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const sourceLimitsSchema = z.strictObject({
  download_bytes: wholeSchema(1, 2 ** 40).optional(),
  unpacked_bytes: wholeSchema(1, 2 ** 40).optional(),
  rows: wholeSchema(1, 1_000_000_000).optional(),
  seconds: wholeSchema(1, 86_400).optional().describe("For reading over the network."),
});

const COMMON = {
  name: recipeNameSchema,
  title: z.string().max(200).optional(),
  homepage: webAddressSchema.optional(),
  license: z.string().max(200).optional(),
  attribution: z.string().max(1000).optional(),
  note: z.string().max(500).optional(),
  status: z.enum(["active", "static", "retired"]).default("active"),
  listed: z.boolean().default(true),
  limits: sourceLimitsSchema.optional(),
} as const;

const READ = {
  ...COMMON,
  reader: readerSchema,
  stated_total: z
    .enum(["compare", "ignore"])
    .default("compare")
    .describe(
      "What the source states about its number of records (total, count, X-Total-Count, a next page …) is compared " +
        "with the records read: fewer are a failure. ignore: it counts something else, or one page is enough.",
    ),
} as const;

/** How often a partition is read again: this many of the newest, or all. */
const reread = z.union([z.literal("all"), wholeSchema(0, 50)]).default(2);

/** Where a value of pagination or slicing is inserted. */
export const sendSchema = z.union([
  z.strictObject({ query: z.string().min(1).max(100) }),
  z.strictObject({ body: pointerSchema }),
]);
export type Send = z.output<typeof sendSchema>;

const partitionDay = z
  .string()
  .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/, {
    error: "Use a year, a month or a day: 2019, 2019-01 or 2019-01-31.",
    abort: true,
  })
  .refine((text) => isDay(text.padEnd(10, "-01")), "There is no such day. Use a year, a month or a day.");

const templateSchema = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(2000)
    .describe(
      "With {year} {month} {day} {quarter} {week} {value} or {date:%Y%m%d}. Beside {week}, {year} is the week's year.",
    ),
  partition: z.union([
    z.strictObject({
      by: z.enum(["year", "quarter", "month", "week", "day"]),
      from: partitionDay,
      to: z.union([z.literal("now"), partitionDay]).default("now"),
      lag: durationSchema.optional(),
    }),
    z.strictObject({ by: z.literal("number"), from: wholeSchema(0, 1_000_000), to: wholeSchema(0, 1_000_000) }),
    z.strictObject({ by: z.literal("list"), values: z.array(z.string().min(1).max(200)).min(1).max(500) }),
  ]),
  missing: z.enum(["fail", "skip_newest", "skip"]).default("skip_newest"),
  reread,
  column: z
    .strictObject({ name: columnNameSchema, type: z.enum(["string", "date", "int32"]).default("string") })
    .optional(),
});
export type Template = z.output<typeof templateSchema>;

const STOP = {
  stop: z
    .strictObject({
      empty_page: z.literal(true).optional(),
      short_page: z.boolean().default(false),
      has_more: pointerSchema.optional(),
      total: pointerSchema.optional(),
    })
    .prefault({}),
  max: wholeSchema(1, 10_000).default(1000),
  delay_ms: wholeSchema(0, 10_000).default(200),
  unique_key: z.array(pointerSchema).min(1).max(4).optional(),
} as const;

const parameter = (usual: string) => z.string().min(1).max(100).default(usual);
const size = wholeSchema(1, 10_000);

export const PAGING = {
  link_header: z.strictObject({ by: z.literal("link_header"), ...STOP }),
  next_url: z.strictObject({ by: z.literal("next_url"), path: pointerSchema, ...STOP }),
  cursor: z.strictObject({ by: z.literal("cursor"), path: pointerSchema, send: sendSchema, ...STOP }),
  key: z.strictObject({ by: z.literal("key"), path: pointerSchema, send: sendSchema, ...STOP }),
  offset: z.strictObject({
    by: z.literal("offset"),
    size,
    offset: parameter("offset"),
    limit: parameter("limit"),
    start: wholeSchema(0, 1_000_000).default(0),
    ...STOP,
  }),
  page: z.strictObject({
    by: z.literal("page"),
    page: parameter("page"),
    limit: parameter("limit"),
    size: size.optional(),
    start: wholeSchema(0, 1).default(1),
    ...STOP,
  }),
} as const;

const pagesSchema = z.discriminatedUnion("by", [
  PAGING.link_header,
  PAGING.next_url,
  PAGING.cursor,
  PAGING.key,
  PAGING.offset,
  PAGING.page,
]);
export type Pages = z.output<typeof pagesSchema>;

const slicesSchema = z.strictObject({
  from: daySchema,
  to: z.union([z.literal("now"), daySchema]).default("now"),
  every: durationSchema,
  lag: durationSchema.optional(),
  send: z.strictObject({
    from: sendSchema,
    to: sendSchema.optional(),
    format: z.string().min(1).max(50).default("%Y-%m-%d"),
    to_inclusive: z.boolean().default(true),
  }),
  reread,
  column: z.strictObject({ name: columnNameSchema }).optional(),
});

const archiveSchema = z.strictObject({
  kind: z.enum(["auto", "zip", "tar"]).default("auto"),
  member: globSchema,
  expect: z.enum(["one", "many"]).default("one"),
  column: z.strictObject({ name: columnNameSchema }).optional(),
});
export type Archive = z.output<typeof archiveSchema>;

const texts = (most: number) =>
  z
    .record(z.string().min(1).max(100), z.string().max(2000))
    .refine((map) => Object.keys(map).length <= most, `Send at most ${most}.`)
    .default({});

export const SOURCES = {
  http: z.strictObject({
    ...READ,
    kind: z.literal("http"),
    on_failure: z
      .enum(["fail", "reuse"])
      .default("fail")
      .describe(
        "reuse: the bytes of the last good read replace those of a failed one, which still counts as failed; not " +
          "with pages.",
      ),
    url: webAddressSchema.optional(),
    urls: z.array(webAddressSchema).min(1).max(200).optional(),
    template: templateSchema.optional(),
    credential: secretNameSchema.optional(),
    query: texts(20),
    headers: texts(10),
    method: z.enum(["GET", "POST"]).default("GET"),
    body: z
      .unknown()
      .refine((body) => typeof body === "object" && body !== null && !isLosslessNumber(body), "Expected a JSON object.")
      .optional(),
    pages: pagesSchema.optional(),
    slices: slicesSchema.optional(),
    archive: archiveSchema.optional(),
  }),
  upload: z.strictObject({
    ...READ,
    kind: z.literal("upload"),
    upload: uploadNameSchema,
    digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, "Use sha256: and 64 hex digits.")
      .optional(),
    archive: archiveSchema.optional(),
  }),
  package: z.strictObject({
    ...READ,
    kind: z.literal("package"),
    registry: z.literal("npm"),
    package: z
      .string()
      .regex(/^(?:@[a-z0-9][a-z0-9._-]{0,99}\/)?[a-z0-9][a-z0-9._-]{0,99}$/, "Use the name of an npm package."),
    version: z.string().min(1).max(100).default("latest"),
    path: z.string().min(1).max(500).optional().describe("A file in the package."),
    paths: globSchema.optional(),
  }),
  table: z.strictObject({
    ...COMMON,
    kind: z.literal("table"),
    table: z.string().min(3).max(200).describe("dataset/table, or a table id."),
    version: z.string().min(1).max(100).default("current"),
  }),
} as const satisfies Record<SourceKind, z.ZodType>;

type Parsed = { [Kind in SourceKind]: z.output<(typeof SOURCES)[Kind]> };
type WithReader<Source> = Source extends { reader: unknown } ? Omit<Source, "reader"> & { reader: Reader } : Source;

/** One source of a recipe, with all defaults filled in. */
export type RecipeSource = { [Kind in SourceKind]: WithReader<Parsed[Kind]> }[SourceKind];
export type HttpSource = Extract<RecipeSource, { kind: "http" }>;
export type UploadSource = Extract<RecipeSource, { kind: "upload" }>;
export type PackageSource = Extract<RecipeSource, { kind: "package" }>;
