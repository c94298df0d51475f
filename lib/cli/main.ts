import { closeRedis } from "@/lib/limits/redis-counters";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { finishBackground } from "@/lib/store/background";
import { closeDatabase } from "@/lib/store/postgres/database";
import { runProgram } from "./program";

// a reader that has enough, such as head, closes the pipe: the rest of the output is not needed
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(
    `The output could not be written (${error.code}). Write it to a file or program that takes it.\n`,
  );
  process.exit(1);
});
process.stderr.on("error", () => undefined);

try {
  await runProgram(process.argv.slice(2));
} finally {
  await finishBackground().catch(() => undefined); // it would open the database again
  await closeReadingEngine();
  closeRedis();
  await closeDatabase();
}
