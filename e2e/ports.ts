/** Everything that specs start besides the run's own service: no two share a port, since specs run side by side. */
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
] as const;

export type PortName = (typeof NAMES)[number];

/** A thousand above the run's own port or above the one before, so that two runs on neighbouring ports do not meet. */
export const portOf = (name: PortName): number => Number(process.env.PORT ?? 4173) + 1000 * (NAMES.indexOf(name) + 1);
