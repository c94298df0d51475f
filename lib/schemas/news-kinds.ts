/** THE list of what a dataset has news of. `isOpen`: whoever may read the dataset hears of it, else its members alone. */
export const NEWS_KINDS = {
  run_failed: { title: "Run failed", meaning: "A run ended with a failure; what is current stays.", isOpen: false },
  approval_asked: { title: "Approval asked", meaning: "A run waits until a member decides.", isOpen: false },
  released: { title: "Released", meaning: "Another version of a table became current.", isOpen: true },
  went_stale: { title: "Went stale", meaning: "The expected update of a table has not arrived.", isOpen: true },
  recovered: { title: "Recovered", meaning: "A table that was stale is current again.", isOpen: true },
} as const satisfies Record<string, { title: string; meaning: string; isOpen: boolean }>;

export type NewsKind = keyof typeof NEWS_KINDS;

export const NEWS_KIND_NAMES = Object.keys(NEWS_KINDS) as [NewsKind, ...NewsKind[]];
