import { ACCESS, type Access, CREDENTIALS, type CredentialKind, REACHES, type Reach } from "@/lib/access/access-table";
import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";

const isReach = (cell: string): cell is Reach => Object.hasOwn(REACHES, cell);

export interface Rejection {
  code: ErrorCode;
  status: number;
  title: string;
  /** The call itself succeeds: the tool's result contains the error. */
  inResult?: true;
}

export interface AccessGroup {
  /** Names of kinds of caller; a single name may stand for all those not listed before it. */
  callers: readonly string[];
  /** A description of what they can reach; undefined if they are rejected. */
  reach?: string;
  /** How they are rejected. */
  rejection?: Rejection;
}

const CREDENTIALS_ALL = Object.keys(CREDENTIALS) as CredentialKind[];

/**
 * A row of the access table as text: callers with the same cell together, those with access first, larger groups last.
 * Pure.
 */
export function accessGroups(access: Access): AccessGroup[] {
  const { cells } = ACCESS[access];
  const kindOf = (actor: CredentialKind): string =>
    isToolRejection(access, actor) ? `${cells[actor]} ${IN_RESULT}` : cells[actor];
  const kinds = [...new Set(CREDENTIALS_ALL.map(kindOf))];
  const groups = kinds.map((cell) => ({ cell, actors: CREDENTIALS_ALL.filter((actor) => kindOf(actor) === cell) }));
  const isRest = ({ actors }: { actors: readonly CredentialKind[] }) => actors.length > CREDENTIALS_ALL.length / 2;
  const rank = (group: (typeof groups)[number]) => (isRest(group) ? 2 : isReach(group.cell) ? 0 : 1);
  groups.sort((a, b) => rank(a) - rank(b));
  return groups.map((group) => {
    const rest = groups.length === 1 ? "everybody" : "everyone else";
    return {
      callers: isRest(group) ? [rest] : group.actors.map((actor) => CREDENTIALS[actor]),
      ...cellText(group.cell),
    };
  });
}

const IN_RESULT = "in the result";

/** The connector admits any valid use key, whatever is called: only the tool can reject it. */
const isToolRejection = (access: Access, actor: CredentialKind): boolean =>
  actor === "use_key" && access.startsWith("connector_") && !isReach(ACCESS[access].cells[actor]);

function cellText(cell: string): Omit<AccessGroup, "callers"> {
  if (isReach(cell)) return { reach: REACHES[cell] };
  const code = cell.replace(` ${IN_RESULT}`, "") as ErrorCode;
  return {
    rejection: {
      code,
      status: ERRORS[code].status,
      title: ERRORS[code].title,
      ...(cell !== code && { inResult: true }),
    },
  };
}

/** The callers of an operation, in a word or two. */
export function whoOf(access: Access): string {
  const { cells } = ACCESS[access];
  if (isReach(cells.anonymous)) return "anybody";
  return isReach(cells.use_key) ? "a use key" : "a signed-in person";
}
