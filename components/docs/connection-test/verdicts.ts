import type { Exchange } from "./exchange";
import { expectations } from "./expectations";
import { KNOWN_FAULTS } from "./known-faults";
import type { Facts } from "./reply-facts";
import type { StepId } from "./steps";

export interface Verdict {
  isGood: boolean;
  message: string;
  /** What to do first, if something is wrong. */
  fix?: string;
}

/**
 * What the replies of a step mean. The first unexpected one is explained by the first matching fault in the table.
 */
export function verdictOf(step: StepId, exchanges: readonly Exchange[], facts: Facts): Verdict {
  const { holds, good } = expectations[step];
  const failing = exchanges.find((exchange) => !holds(exchange, facts));
  if (failing === undefined) return { isGood: true, message: good(exchanges, facts) };
  const at = { step, exchange: failing, facts };
  const fault = KNOWN_FAULTS.find(({ when }) => when(at));
  if (!fault) throw new Error("the last fault always matches");
  return { isGood: false, message: fault.message(at), fix: fault.fix(at) };
}
