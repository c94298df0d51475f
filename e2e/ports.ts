/** Everything that specs start besides the run's own service. No two share a port, since specs run concurrently. */
const NAMES = [
  "limits",
  "restored",
  "redis one",
  "redis two",
  "identity provider",
  "hub",
  "sign-in",
  "secure",
  "email",
  "mailbox",
  "billing",
  "source",
  "tutorial",
  "scriptless",
  "editor",
  "openid provider",
  "openid connect",
] as const;

export type PortName = (typeof NAMES)[number];

/** A thousand above the run's own port or the previous one, so two runs on neighbouring ports do not collide. */
export const portOf = (name: PortName): number => Number(process.env.PORT ?? 4173) + 1000 * (NAMES.indexOf(name) + 1);
