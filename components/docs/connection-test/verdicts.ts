import type { CredentialForm } from "./credential-form";
import type { Exchange } from "./exchange";
import { expectations } from "./expectations";
import type { StepId } from "./steps";
import { TROUBLES } from "./troubles";

/** What the page knows about the test besides the replies. */
export interface Facts {
  /** The service's own URL. */
  base: string;
  /** The page's URL, as the browser sees it. */
  origin: string;
  /** Connector URL under test. */
  connector: string;
  /** What was pasted; undefined if nothing was. */
  form?: CredentialForm | undefined;
}

export interface Verdict {
  isGood: boolean;
  says: string;
  /** What to do first, if something is wrong. */
  todo?: string;
}

/**
 * What the replies of a step mean. The first unexpected one is explained by the first matching trouble in the table.
 */
export function verdictOf(step: StepId, exchanges: readonly Exchange[], facts: Facts): Verdict {
  const { holds, good } = expectations[step];
  const failing = exchanges.find((exchange) => !holds(exchange, facts));
  if (failing === undefined) return { isGood: true, says: good(exchanges, facts) };
  const at = { step, exchange: failing, facts };
  const trouble = TROUBLES.find(({ when }) => when(at));
  if (!trouble) throw new Error("the last trouble fits always");
  return { isGood: false, says: trouble.says(at), todo: trouble.todo(at) };
}
