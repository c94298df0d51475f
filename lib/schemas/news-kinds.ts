/**
 * THE list of kinds of news of a dataset. `isOpen`: anyone who can read the dataset can be notified; otherwise only
 * members of its workspace.
 */
export const NEWS_KINDS = {
  run_failed: {
    title: "Run failed",
    meaning: "A run ended with a failure; the current version remains.",
    isOpen: false,
  },
  approval_asked: { title: "Approval requested", meaning: "A run is waiting for a member's decision.", isOpen: false },
  released: { title: "Released", meaning: "A new version of a table became current.", isOpen: true },
  went_stale: { title: "Went stale", meaning: "The expected update of a table has not arrived.", isOpen: true },
  recovered: { title: "Recovered", meaning: "A table that was stale is current again.", isOpen: true },
} as const satisfies Record<string, { title: string; meaning: string; isOpen: boolean }>;

export type NewsKind = keyof typeof NEWS_KINDS;

export const NEWS_KIND_NAMES = Object.keys(NEWS_KINDS) as [NewsKind, ...NewsKind[]];

/** What a watch of a view is told of instead. */
export const VIEW_EVENTS = {
  view_changed: {
    title: "View changed",
    meaning: "The result of a watched view differs from the last one, or crossed the threshold of the watch.",
  },
  view_unavailable: {
    title: "View unavailable",
    meaning: "A watched view gives no result any more: its table cannot be read, or its columns are gone.",
  },
} as const;

/** The title of whatever a delivery tells. */
export const eventTitle = (kind: string): string =>
  kind === "test" ? "Test" : ({ ...NEWS_KINDS, ...VIEW_EVENTS }[kind as NewsKind]?.title ?? kind);
