import { formatPlural } from "@/lib/kernel/format";
import { FRESHNESS_REASONS, type FreshnessReason } from "@/lib/schemas/freshness";
import type { NewsEvent, NewsFacts, WatchEvent } from "@/lib/schemas/news";
import { viewChangeText } from "./view-news-text";

/** News as text: `subject` is one line, `sentences` are the rest. */
export interface NewsText {
  subject: string;
  sentences: string[];
}

const CHANGES: Readonly<Record<NewsFacts["released"]["tables"][number]["change"], string>> = {
  first: "first version",
  appended: "rows were added",
  restated: "rows were changed or removed",
  columns_added: "columns were added",
  breaking: "columns were changed or removed",
  metadata: "column descriptions were changed",
};

const REASONS: Readonly<Record<NewsFacts["released"]["reason"], string>> = {
  promoted: "is now current",
  rolled_back: "is current again, by returning to an earlier version",
  withdrawn: "is current again, since a later version was withdrawn",
};

/** What happened, for a person. Pure. */
export function newsText(event: WatchEvent): NewsText {
  if (event.kind === "test")
    return { subject: "A test", sentences: ["This is a test of the watch. Nothing else happened."] };
  if (event.kind === "view_changed")
    return { subject: `View changed: ${viewName(event.data.view)}`, sentences: viewChangeText(event) };
  if (event.kind === "view_unavailable")
    return { subject: `View unavailable: ${viewName(event.data.view)}`, sentences: [event.data.reason] };
  const title = event.dataset.title;
  const words = sentencesOf(event);
  return { subject: `${words.subject}: ${title}`, sentences: words.sentences };
}

const viewName = ({ id, title }: { id: string; title: string | null }): string => title ?? id;

function sentencesOf(event: NewsEvent): NewsText {
  switch (event.kind) {
    case "run_failed":
      return {
        subject: "Run failed",
        sentences: [`${event.data.failure.message} (${event.data.failure.code})`, "The current version is unchanged."],
      };
    case "approval_asked":
      return {
        subject: "Approval requested",
        sentences: ["A run is waiting for a decision by a member of the workspace."],
      };
    case "released":
      return {
        subject: "Released",
        sentences: event.data.tables.map(
          ({ slug, rows, change }) =>
            `${slug} ${REASONS[event.data.reason]}: ${formatPlural(rows, "row")}, ${CHANGES[change]}.`,
        ),
      };
    case "went_stale":
      return { subject: "Went stale", sentences: verdictText(event.data) };
    case "recovered":
      return { subject: "Recovered", sentences: verdictText(event.data) };
  }
}

function verdictText({ tables, freshness }: NewsFacts["went_stale"]): string[] {
  const reason = FRESHNESS_REASONS[freshness.reason_code as FreshnessReason];
  const names = tables.map(({ slug }) => slug).join(", ");
  return [`${names}: ${reason?.meaning ?? freshness.state}`];
}
