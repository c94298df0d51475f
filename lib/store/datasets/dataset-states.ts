import { type Failure, fail } from "@/lib/kernel/errors";

/** Who may read a dataset: its workspace, everybody, or nobody. */
export type Visibility = "private" | "public" | "withdrawn";

/** What decides who sees a dataset. */
export interface DatasetState {
  visibility: Visibility;
  /** Whether any of its tables is on the hosted table API. */
  isActive: boolean;
}

/**
 * Who causes an event. `owner`: a person who owns the workspace and signed in within 12 hours; `member`: any other
 * person of it; `agent`: a connection or signed-in computer of a member; `service`: a schedule, or a run that does what
 * was approved; `operator`: the administrator's commands. Nobody else gets here: strangers find no dataset, and
 * workspaces without a paid plan change nothing (`lib/access/authorize.ts`).
 */
export type Caller = "agent" | "member" | "owner" | "operator" | "service";

/**
 * Whose consent an event needs if its result is shown to others. `recipe`: a person approved the recipe that made the
 * version, or it was shown before; `owner`: an owner decided just this.
 */
type Consent = "none" | "recipe" | "owner";

interface Transition {
  from: readonly Visibility[];
  /** The visibility after it; `chosen`: as the caller says. */
  to: Visibility | "same" | "chosen";
  by: readonly Caller[];
  consent: Consent;
  /** What it does, after "cannot". */
  action: string;
}

const ANYBODY: readonly Caller[] = ["agent", "member", "owner", "operator", "service"];
const PEOPLE_AND_AGENTS: readonly Caller[] = ["agent", "member", "owner", "operator"];
const OWNERS: readonly Caller[] = ["owner", "operator"];
const EVERY_STATE: readonly Visibility[] = ["private", "public", "withdrawn"];
const READ_BY_SOMEBODY: readonly Visibility[] = ["private", "public"];

/** THE table of what may happen to a dataset that is built by a workspace, or owned by the administrator. */
export const TRANSITIONS = {
  /** A version becomes its table's current one, be it new or an older one. */
  promote: { from: READ_BY_SOMEBODY, to: "same", by: ANYBODY, consent: "recipe", action: "make a version current" },
  publish: { from: READ_BY_SOMEBODY, to: "public", by: ANYBODY, consent: "owner", action: "make it public" },
  /** Its tables get their URLs on the hosted table API. */
  activate: { from: READ_BY_SOMEBODY, to: "same", by: ANYBODY, consent: "owner", action: "activate it" },
  deactivate: { from: EVERY_STATE, to: "same", by: OWNERS, consent: "none", action: "deactivate it" },
  withdraw: { from: EVERY_STATE, to: "withdrawn", by: PEOPLE_AND_AGENTS, consent: "none", action: "withdraw it" },
  restore: { from: ["withdrawn"], to: "chosen", by: PEOPLE_AND_AGENTS, consent: "owner", action: "restore it" },
  withdraw_version: { from: EVERY_STATE, to: "same", by: OWNERS, consent: "none", action: "withdraw a version" },
} as const satisfies Record<string, Transition>;

export type DatasetEvent = keyof typeof TRANSITIONS;

/** Who causes an event, and what was decided before. */
export interface EventBy {
  caller: Caller;
  /** Whether a person approved what is shown by it, or it was shown before. */
  isRecipeApproved?: boolean | undefined;
  /** Whether an owner approved just this event. */
  isOwnerApproved?: boolean | undefined;
}

export type Decision =
  | { is: "done"; visibility: Visibility }
  /** Nothing happens until an owner has approved it. */
  | { is: "asked" }
  | { is: "refused"; failure: Failure };

/** Whether others than the workspace see a dataset: everybody, or subscribers of the hosted table API. */
export const isShown = ({ visibility, isActive }: DatasetState): boolean =>
  visibility === "public" || (visibility === "private" && isActive);

/**
 * THE decision: what an event by a caller does to a dataset in a state. Pure; whoever changes a dataset asks it again
 * within the transaction, about the state that the transaction has locked.
 */
export function decide(
  event: DatasetEvent,
  state: DatasetState,
  by: EventBy,
  chosen: Visibility = state.visibility,
): Decision {
  const { from, to, by: callers, action }: Transition = TRANSITIONS[event];
  if (!from.includes(state.visibility)) return refused(state, action);
  if (!callers.includes(by.caller)) return { is: "refused", failure: ownersOnly(action) };
  const visibility = to === "same" ? state.visibility : to === "chosen" ? chosen : to;
  const after = { visibility, isActive: state.isActive || event === "activate" };
  if (!isShown(after) || hasConsent(event, state, by)) return { is: "done", visibility };
  if (event === "restore") return { is: "refused", failure: ownersOnly(action) };
  if (by.caller === "service")
    return { is: "refused", failure: fail("conflict", { message: "No person approved what would be shown." }) };
  return { is: "asked" };
}

function hasConsent(event: DatasetEvent, state: DatasetState, by: EventBy): boolean {
  const { consent }: Transition = TRANSITIONS[event];
  const isOwn = by.caller === "owner" || by.caller === "operator";
  if (consent === "none" || isOwn || by.isOwnerApproved === true) return true;
  if (consent === "recipe") return by.isRecipeApproved === true;
  return event === "publish" && state.visibility === "public";
}

/**
 * The visibility after an event, where nothing has to be asked first. Fails with conflict or insufficient_scope if the
 * event is refused, or if an owner would have to approve it.
 */
export function decided(event: DatasetEvent, state: DatasetState, by: EventBy, chosen?: Visibility): Visibility {
  const decision = decide(event, state, by, chosen);
  if (decision.is === "done") return decision.visibility;
  throw decision.is === "refused" ? decision.failure : ownersOnly(TRANSITIONS[event].action);
}

const refused = ({ visibility }: DatasetState, action: string): Decision => ({
  is: "refused",
  failure: fail("conflict", {
    message:
      visibility === "withdrawn"
        ? `The dataset is withdrawn, so nobody can ${action}. It has to be restored first.`
        : `The dataset is ${visibility}, not withdrawn, so nobody can ${action}.`,
  }),
});

/** How an event is refused that only an owner may cause; `action` follow "can". */
export const ownersOnly = (action: string, wayOn = ""): Failure =>
  fail("insufficient_scope", {
    message: [`Only an owner of the workspace, signed in with a browser, can ${action}.`, wayOn].join(" ").trim(),
  });

/**
 * The event that leads from one visibility to another; undefined if they are equal. Fails with conflict if there is
 * none: what is public becomes private by a withdrawal alone.
 */
export function visibilityEvent(from: Visibility, to: Visibility): "publish" | "withdraw" | "restore" | undefined {
  if (from === to) return undefined;
  if (to === "withdrawn") return "withdraw";
  if (from === "withdrawn") return "restore";
  if (to === "public") return "publish";
  throw fail("conflict", {
    message: "A public dataset cannot become private at once. Withdraw it first; then it can be restored as private.",
  });
}
