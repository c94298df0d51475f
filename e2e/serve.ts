// Serves a fresh data folder with the showcase catalogue for the browser tests, and removes it at the end.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dataDir = mkdtempSync(join(tmpdir(), "parquetry-e2e-"));
chmodSync(dataDir, 0o755);
const child = spawn(process.execPath, ["--import", "tsx", "lib/server/main.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    NODE_ENV: "production",
    UV_THREADPOOL_SIZE: "64",
    PARQUETRY_DATA_DIR: dataDir,
    PARQUETRY_LOG_LEVEL: "warn",
    LIMIT_CATALOGUE_MINUTE: "100000",
    LIMIT_ADDRESS_MINUTE: "100000",
    LIMIT_ADDRESS_DAY: "1000000",
  },
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
