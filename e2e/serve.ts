// The service under test: a fresh data folder, the showcase catalogue, and limits raised out of reach (limits.spec.ts
// starts its own service with the real ones).
import { rmSync } from "node:fs";
import { SETTINGS } from "@/lib/kernel/env";
import { portOf } from "./ports";
import { startService } from "./service";
import { runFolder } from "./used-secrets";

const SOURCES = ["source", "tutorial", "scriptless", "editor"] as const;
const dataDir = process.env.PARQUETRY_E2E_DIR ?? "";
const service = startService({
  PORT: process.env.PORT ?? "4173",
  PARQUETRY_CONTACT: "mailto:security@example.org",
  PARQUETRY_DESIGN_PAGE: "1",
  SOURCE_PRIVATE_HOSTS: SOURCES.map((name) => `127.0.0.1:${portOf(name)}`).join(","),
  ...roomy(),
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => service.kill("SIGTERM"));
service.once("exit", (code) => {
  for (const folder of [dataDir, runFolder()]) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});

function roomy(): Record<string, string> {
  const names = Object.keys(SETTINGS.shape).filter((name) => name.startsWith("LIMIT_"));
  return Object.fromEntries(names.map((name) => [name, "1000000"]));
}
