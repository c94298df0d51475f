import { baseUrl, env } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { CONNECTING_DEFAULTS, type Connecting, newAgents } from "./connection";

/** How this service reaches sources, by its settings. Shared by the entire process. */
export const serviceConnecting = (): Connecting =>
  processWide("source-connecting", () => {
    const { SOURCE_PORTS, SOURCE_PRIVATE_HOSTS } = env();
    const base = baseUrl();
    return {
      ...CONNECTING_DEFAULTS,
      ports: SOURCE_PORTS,
      ownHosts: [new URL(base).hostname],
      privateHosts: SOURCE_PRIVATE_HOSTS,
      userAgent: `Parquetry (+${base}/docs)`,
      agents: newAgents(),
    };
  });
