import { type DocContent, h2, name, note, table, text } from "@/lib/docs/doc";
import { FRESHNESS_CONFIDENCE, FRESHNESS_REASONS, FRESHNESS_STATES, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";

export const freshness: DocContent = () => [
  text(
    "Freshness says whether the current version is as new as it could be. It is drawn from evidence alone: " +
      "when sources were read, whether they had changed, and when an update is to be expected. Where the " +
      "evidence does not decide, the state is `unknown`; `fresh` is never a fallback.",
  ),
  note(
    "Data that was published by hand has no source that the service reads: its freshness is `unknown`, because " +
      "of `no_observation`. The time of publishing stands beside it. A stale table still serves its last good " +
      "version: nothing is withdrawn.",
  ),
  h2("states", "States"),
  table(
    "Freshness states",
    ["State", "Meaning"],
    Object.entries(FRESHNESS_STATES).map(([state, { meaning }]) => [name(state), meaning]),
  ),
  h2("reasons", "Reasons"),
  text("Every state comes with a `reason_code`. The rules are asked in this order; the first that holds decides."),
  table(
    "Freshness reasons",
    ["Reason", "State", "Meaning"],
    Object.entries(FRESHNESS_REASONS).map(([reason, { state, meaning }]) => [name(reason), name(state), meaning]),
  ),
  h2("confidence", "Confidence"),
  table(
    "Confidence",
    ["Confidence", "Meaning"],
    Object.entries(FRESHNESS_CONFIDENCE).map(([confidence, meaning]) => [name(confidence), meaning]),
  ),
  h2("continuity", "Continuity"),
  text("How the current release stands to the one before it."),
  table(
    "Continuity",
    ["Continuity", "Meaning"],
    Object.entries(RELEASE_CONTINUITY).map(([continuity, meaning]) => [name(continuity), meaning]),
  ),
];
