import type { BuildOutcome } from "@/lib/builds/plan";
import { LEFT_OUT_CAUSES, LOSSES } from "@/lib/readers/left-out";
import type { StagedSource } from "@/lib/readers/staged-source";
import type { RunResult } from "@/lib/schemas/run";
import { cleanText } from "./run-failure";

const EXAMPLES_MAX = 5;

type LeftOutOfSource = BuildOutcome["leftOut"][number];
type LeftOutShown = NonNullable<RunResult["left_out"]>[number];

/** What was left out for one reason, with its first examples. */
export const shownLeftOut = (
  { source, cause, rows, cells, examples }: LeftOutOfSource,
  parts: StagedSource["parts"],
): LeftOutShown => ({
  ...{ source, cause, rows, cells, words: LEFT_OUT_CAUSES[cause], loss: LOSSES.includes(cause) },
  examples: examples.slice(0, EXAMPLES_MAX).map(({ part, row, column, value }) => ({
    ...{ partition: parts[part]?.partition ?? null, row, column, value: cleanText(value) },
  })),
});
