type OneOrMore<T> = T | T[];

interface SupportStatement {
  version_added: string | false;
  version_removed?: string;
  version_last?: string;
  prefix?: string;
  alternative_name?: string;
  flags?: object[];
  impl_url?: OneOrMore<string>;
  partial_implementation?: true;
  notes?: OneOrMore<string>;
}

interface Compat {
  description?: string;
  mdn_url?: string;
  spec_url?: OneOrMore<string>;
  tags?: string[];
  source_file: string;
  support: Record<string, OneOrMore<SupportStatement>>;
  status?: { experimental: boolean; standard_track: boolean; deprecated: boolean };
}

/** A tree of features: every key except `__compat` is a child feature. */
interface FeatureNode {
  __compat?: Compat;
  [name: string]: FeatureNode | Compat | undefined;
}

interface Release {
  index?: number;
  release_date?: string;
  release_notes?: string;
  status: string;
  engine?: string;
  engine_version?: string;
}

interface Browser {
  name: string;
  type: string;
  upstream?: string;
  preview_name?: string;
  pref_url?: string;
  accepts_flags: boolean;
  accepts_webextensions: boolean;
  releases: Record<string, Release>;
}

/** The document of @mdn/browser-compat-data: features by category, along with `browsers` and `__meta`. */
export interface CompatData {
  browsers: Record<string, Browser>;
  [category: string]: unknown;
}

interface Feature {
  path: string[];
  compat: Compat;
}

const listOf = (value: OneOrMore<string> | undefined): string[] | null => (value === undefined ? null : [value].flat());

/** The leading number of a version, including "≤79"; null for "preview" and for no version. */
function majorOf(version: string | false): number | null {
  const digits = version ? /^≤?(\d+)/.exec(version)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

function* featuresBelow(node: FeatureNode, path: string[]): Generator<Feature> {
  if (node.__compat) yield { path, compat: node.__compat };
  for (const [name, child] of Object.entries(node)) {
    if (name !== "__compat") yield* featuresBelow(child as FeatureNode, [...path, name]);
  }
}

function* featuresOf(data: CompatData): Generator<Feature> {
  for (const [category, tree] of Object.entries(data)) {
    if (category !== "__meta" && category !== "browsers") yield* featuresBelow(tree as FeatureNode, [category]);
  }
}

/** One row per feature. */
export function* featureRows(data: CompatData): Generator<object> {
  for (const { path, compat } of featuresOf(data)) {
    yield {
      feature: path.join("."),
      category: path[0],
      name: path.at(-1),
      parent: path.slice(0, -1).join("."),
      description: compat.description ?? null,
      standard_track: compat.status?.standard_track ?? null,
      experimental: compat.status?.experimental ?? null,
      deprecated: compat.status?.deprecated ?? null,
      mdn_url: compat.mdn_url ?? null,
      spec_urls: listOf(compat.spec_url),
      tags: compat.tags ?? null,
      source_file: compat.source_file,
    };
  }
}

/**
 * One row per feature, browser and statement: a browser has several when support changed over time or differs in name.
 */
export function* supportRows(data: CompatData): Generator<object> {
  for (const { path, compat } of featuresOf(data)) {
    const feature = path.join(".");
    for (const [browser, statements] of Object.entries(compat.support)) {
      for (const [position, statement] of [statements].flat().entries()) {
        yield { feature, category: path[0], browser, statement: position, ...supportColumns(statement) };
      }
    }
  }
}

function supportColumns(statement: SupportStatement): object {
  const added = statement.version_added;
  return {
    supported: added !== false,
    version_added: added || null,
    version_added_major: majorOf(added),
    version_added_is_bound: added ? added.startsWith("≤") : false,
    version_removed: statement.version_removed ?? null,
    version_last: statement.version_last ?? null,
    partial_implementation: statement.partial_implementation ?? false,
    prefix: statement.prefix ?? null,
    alternative_name: statement.alternative_name ?? null,
    behind_flag: statement.flags !== undefined,
    flags: statement.flags ?? null,
    notes: listOf(statement.notes),
    impl_urls: listOf(statement.impl_url),
  };
}

/** One row per browser and version. `release_index` is written only if the source has it. */
export function* releaseRows(data: CompatData): Generator<object> {
  for (const [browser, { releases, ...about }] of Object.entries(data.browsers)) {
    for (const [version, release] of Object.entries(releases)) {
      yield {
        browser,
        browser_name: about.name,
        browser_type: about.type,
        upstream: about.upstream ?? null,
        version,
        version_major: majorOf(version),
        ...(release.index === undefined ? {} : { release_index: release.index }),
        release_date: release.release_date ?? null,
        status: release.status,
        engine: release.engine ?? null,
        engine_version: release.engine_version ?? null,
        release_notes: release.release_notes ?? null,
        preview_name: about.preview_name ?? null,
        pref_url: about.pref_url ?? null,
        accepts_flags: about.accepts_flags,
        accepts_webextensions: about.accepts_webextensions,
      };
    }
  }
}
