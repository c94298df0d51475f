import { Badge } from "@/components/ui/badge";
import type { RunBrief } from "@/lib/schemas/run";
import { RUN_WORDS } from "./studio-text";

/** The state of a run; for sealed ones, also whether anything was new. */
export function RunBadge({ run: { state, outcome } }: { run: Pick<RunBrief, "state" | "outcome"> }) {
  const { words, tone } = RUN_WORDS[state];
  const isUnchanged = state === "sealed" && outcome === "unchanged";
  return <Badge tone={isUnchanged ? "neutral" : tone}>{isUnchanged ? "Nothing new" : words}</Badge>;
}
