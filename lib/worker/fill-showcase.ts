import { log } from "@/lib/http/log";
import { outliveOutput } from "@/lib/http/log-output";
import { resumeFill } from "@/lib/showcase/first-fill";
import { fillText } from "@/lib/store/fill-progress";
import { closeDatabase } from "@/lib/store/postgres/database";
import { closeJobs } from "@/lib/store/runs/jobs";
import { replayVersion } from "./replay-version";

// A separate process that the server starts, so that filling the catalogue takes nothing from readers. It may end at
// any moment, since the next start resumes the work.
outliveOutput();
const orphaned = () => process.exit(1); // the server that started it is gone
process.once("disconnect", orphaned);
if (process.connected === false) orphaned(); // it ended while this program was being loaded
// the terminal signals both; the server ends this one
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
const onError = (err: unknown) => log().error({ err }, "showcase");
try {
  await resumeFill(
    (progress) => log().info(`Filling the catalogue: ${fillText(progress)}`),
    (version) => replayVersion(version, { now: () => new Date(), onError }),
  );
} catch (error) {
  onError(error);
  process.exitCode = 1;
} finally {
  await closeJobs();
  await closeDatabase();
  process.off("disconnect", orphaned);
  if (process.connected) process.disconnect();
}
