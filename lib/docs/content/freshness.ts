import { type DocContent, h2, name, note, table, text } from "@/lib/docs/doc";
import { FRESHNESS_CONFIDENCE, FRESHNESS_REASONS, FRESHNESS_STATES, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";

export const freshness: DocContent = () => [
  text(
    "Freshness tells you whether the current version is as recent as it could be. It is based on evidence " +
      "only: when sources were read, whether they had changed, and when the next update is due. If the evidence " +
      "is inconclusive, the state is `unknown`; `fresh` is never a fallback.",
  ),
  note(
    "Data published by hand has no source that the service reads, so its freshness is `unknown` with reason " +
      "`no_observation`; its publication date is shown instead. A stale table still serves its last good " +
      "version: nothing is withdrawn.",
  ),
  text(
    "For tables that are built by recipes, the dataset's document contains a `freshness` object per table: state, " +
      "reason, when sources were last read and last changed, and the window of the next expected update. Sources " +
      "that the recipe lists have their own freshness. Without a schedule, sources are read only when somebody " +
      "starts a run; an hour later, freshness is `unknown`.",
  ),
  text(
    "The recipe's `refresh` says when sources are read: at every tick of `every` in its time zone, or as " +
      "`read_every` says. Only with `expected_by` is it a promise that freshness is measured against; otherwise the " +
      "window of the next update is learned. A run that fails for a temporary reason is retried after 5, 15 and 60 " +
      "minutes (one that ran out of memory is retried once, with up to twice as much). After ten failures in a row, " +
      "sources are read once a day, and after 30 days of that the schedule pauses. `get_my_dataset` returns the " +
      "schedule; `update_dataset` pauses and resumes it, as does `parquetry schedule` from a terminal. A refresh " +
      "makes its own result current, except after a roll-back: then it seals its result, and the version that was " +
      "gone back to stays current until somebody makes another one current.",
  ),
  h2("states", "States"),
  table(
    "Freshness states",
    ["State", "Meaning"],
    Object.entries(FRESHNESS_STATES).map(([state, { meaning }]) => [name(state), meaning]),
  ),
  h2("reasons", "Reasons"),
  text("Every state has a `reason_code`. The rules are evaluated in this order; the first that applies decides."),
  table(
    "Freshness reasons",
    ["Reason", "State", "Meaning"],
    Object.entries(FRESHNESS_REASONS).map(([reason, { state, meaning }]) => [name(reason), name(state), meaning]),
  ),
  h2("readings", "Readings"),
  text(
    "`GET /api/v2/public/tables/{table_id}/readings` lists the evidence behind a verdict: when each source was read, " +
      "whether reading succeeded, and whether the rows had changed. Dataset pages show it as a time line. For files " +
      "that a publisher prepared, no source is read, so nothing is listed and nothing is claimed.",
  ),
  text(
    "A reading with `replayed` is a release of a package that came with the service, and was read from there as if " +
      "at the time of its release. It shows when the data changed, but the source itself was not read then: " +
      "`last_observed_at` ignores it, and until a source that still changes is actually read, the state is `unknown` " +
      "with reason `no_observation`.",
  ),
  text(
    "A known state also appears in other documents: in Croissant and the JSON-LD of dataset pages as " +
      "`creativeWorkStatus`, in the DCAT catalogue as a quality measurement (`dqv:value`), in `llms.txt`, the " +
      "Markdown of datasets and the Atom feeds of versions. Where no source is watched, or the state is `unknown`, " +
      "they say nothing about freshness. Documents of the whole catalogue may be up to 15 minutes behind.",
  ),
  h2("confidence", "Confidence"),
  table(
    "Confidence",
    ["Confidence", "Meaning"],
    Object.entries(FRESHNESS_CONFIDENCE).map(([confidence, meaning]) => [name(confidence), meaning]),
  ),
  h2("continuity", "Continuity"),
  text("How the current release relates to the previous one."),
  table(
    "Continuity",
    ["Continuity", "Meaning"],
    Object.entries(RELEASE_CONTINUITY).map(([continuity, meaning]) => [name(continuity), meaning]),
  ),
];
