import { upkeepText } from "@/lib/schemas/upkeep";
import { findUpkeepFailures } from "@/lib/store/upkeep-failures";

/** Background work that fails, for anybody: why is not said, since it may name files. */
export interface FailingUpkeep {
  step: string;
  text: string;
  since: Date;
}

/** The steps that failed in the last round, the one that has failed for longest first. */
export const failingUpkeep = async (): Promise<FailingUpkeep[]> =>
  (await findUpkeepFailures()).map(({ step, since }) => ({ step, text: upkeepText(step), since }));
