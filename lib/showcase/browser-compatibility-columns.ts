import type { ColumnNote } from "@/lib/schemas/publish";

export const supportColumnNotes: readonly ColumnNote[] = [
  {
    name: "feature",
    type: "string",
    description: "Path of the feature, joined by dots, such as api.AbortController.abort; see the table Features.",
  },
  {
    name: "category",
    type: "string",
    description: "First part of the path: one of 12, such as api, css, html, javascript or svg.",
  },
  {
    name: "browser",
    type: "string",
    description: "Identifier of the browser or runtime, such as chrome_android or nodejs; see the table Releases.",
  },
  {
    name: "statement",
    type: "int32",
    description:
      "Position of this statement among those for the feature and browser, from 0; the most recent or relevant first.",
  },
  {
    name: "supported",
    type: "boolean",
    description:
      "False if the source says version_added: false. True means that some version has or had support: see the " +
      "other columns.",
  },
  {
    name: "version_added",
    type: "string",
    description:
      "First version with support, as the source writes it: 66, 12.1, ≤79 or preview; null if not supported.",
  },
  {
    name: "version_added_major",
    type: "int32",
    description: "Leading number of version_added, for sorting and comparison; null for preview and if not supported.",
  },
  {
    name: "version_added_is_bound",
    type: "boolean",
    description: "Whether version_added begins with ≤: support was added in that version or earlier.",
  },
  {
    name: "version_removed",
    type: "string",
    description: "First version in which support was removed; null if it was not removed.",
  },
  { name: "version_last", type: "string", description: "Last version with support; null if it was not removed." },
  {
    name: "partial_implementation",
    type: "boolean",
    description: "Whether support deviates from the specification in a way that affects developers.",
  },
  {
    name: "prefix",
    type: "string",
    description: "Prefix that the name needs in this browser, such as -webkit- or moz; null if none.",
  },
  {
    name: "alternative_name",
    type: "string",
    description: "Entirely different name of the feature in this browser; null if none.",
  },
  { name: "behind_flag", type: "boolean", description: "Whether the user must set a flag or preference first." },
  {
    name: "flags",
    type: "json",
    description: "The flags to set: a list of objects with type, name and usually value_to_set; null if none.",
  },
  { name: "notes", type: "list<string>", description: "Remarks, with HTML markup; null if there are none." },
  {
    name: "impl_urls",
    type: "list<string>",
    description: "Issues that track the implementation; null if none are named.",
  },
];

export const featureColumnNotes: readonly ColumnNote[] = [
  { name: "feature", type: "string", description: "Path of the feature, joined by dots; unique." },
  { name: "category", type: "string", description: "First part of the path." },
  { name: "name", type: "string", description: "Last part of the path." },
  {
    name: "parent",
    type: "string",
    description: "The path without its last part; not every parent is a feature itself.",
  },
  {
    name: "description",
    type: "string",
    description: "What the feature is, with HTML markup, if the name does not say it; otherwise null.",
  },
  {
    name: "standard_track",
    type: "boolean",
    description: "Whether it is part of an active specification; null if the source gives no status.",
  },
  {
    name: "experimental",
    type: "boolean",
    description: "Whether it was tagged as experimental, a tag whose use the source discourages; null without status.",
  },
  { name: "deprecated", type: "boolean", description: "Whether it is no longer recommended; null without status." },
  { name: "mdn_url", type: "string", description: "Reference page on MDN; null if there is none." },
  { name: "spec_urls", type: "list<string>", description: "Where specifications define it; null if none are named." },
  {
    name: "tags",
    type: "list<string>",
    description: "Tags, mostly web-features:… for Baseline; null if there are none.",
  },
  { name: "source_file", type: "string", description: "File in the repository that contains it." },
];

export const releaseColumnNotes: readonly ColumnNote[] = [
  { name: "browser", type: "string", description: "Identifier of the browser or runtime." },
  { name: "browser_name", type: "string", description: "Name of the browser or runtime." },
  { name: "browser_type", type: "string", description: "Kind of device: desktop, mobile, xr or server." },
  { name: "upstream", type: "string", description: "The browser that this one is based on; null if none." },
  { name: "version", type: "string", description: "Version as text; unique within the browser. Not sortable as text." },
  { name: "version_major", type: "int32", description: "Leading number of the version, for sorting and comparison." },
  {
    name: "release_index",
    type: "int32",
    description: "Position of the version within its browser, from 0, in version order. In the source since 8.1.",
  },
  { name: "release_date", type: "date", description: "Day of release, possibly in the future; null if unknown." },
  {
    name: "status",
    type: "string",
    description: "State of the version on the package's release day: retired, esr, current, beta, nightly or planned.",
  },
  {
    name: "engine",
    type: "string",
    description: "Rendering or script engine, such as Blink, Gecko, WebKit or V8; null if unknown.",
  },
  { name: "engine_version", type: "string", description: "Version of the engine as text; null if unknown." },
  { name: "release_notes", type: "string", description: "URL of the release notes; null if there are none." },
  {
    name: "preview_name",
    type: "string",
    description: "The browser's name for its preview channel; null if it has none.",
  },
  {
    name: "pref_url",
    type: "string",
    description: "Address inside the browser where flags are set; null if there is none.",
  },
  { name: "accepts_flags", type: "boolean", description: "Whether users can set flags in this browser." },
  { name: "accepts_webextensions", type: "boolean", description: "Whether the browser supports extensions." },
];
