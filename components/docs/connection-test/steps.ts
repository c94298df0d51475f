import type { Choice, Mode } from "./choice";

/** In their order. */
const IDS = [
  "credential",
  "address",
  "origin",
  "resource",
  "server",
  "rejection",
  "register",
  "consent",
  "token",
  "handshakes",
  "tools",
  "rows",
  "own",
  "refresh",
  "revoke",
] as const;
export type StepId = (typeof IDS)[number];

interface Step {
  title: string;
  /** Only at this URL, if not at both. */
  in?: readonly Mode[];
  /** Requires authentication. */
  needsLetIn?: true;
}

/** THE steps of the test. */
export const STEPS: Readonly<Record<StepId, Step>> = {
  credential: { title: "Pasted credential", in: ["credential"] },
  address: { title: "URL" },
  origin: { title: "Host and origin" },
  resource: { title: "Authorization server discovery", in: ["none", "sign-in"] },
  server: { title: "Sign-in server", in: ["none", "sign-in"] },
  rejection: { title: "Rejection without a credential", in: ["none", "sign-in"] },
  register: { title: "Registration", in: ["sign-in"] },
  consent: { title: "Your consent", in: ["sign-in"] },
  token: { title: "Tokens", in: ["sign-in"] },
  handshakes: { title: "Handshakes", needsLetIn: true },
  tools: { title: "Tools", needsLetIn: true },
  rows: { title: "Rows of a dataset", needsLetIn: true },
  own: { title: "A call that requires sign-in", in: ["credential", "sign-in"] },
  refresh: { title: "Refresh", in: ["sign-in"] },
  revoke: { title: "Disconnection", in: ["sign-in"] },
};

/** The steps of a choice. At the account URL nothing works without a credential. */
export function stepsOf({ mode, path }: Choice): StepId[] {
  const isShutOut = mode === "none" && path === "/api/mcp/account";
  return IDS.filter((id) => (STEPS[id].in?.includes(mode) ?? true) && !(STEPS[id].needsLetIn && isShutOut));
}
