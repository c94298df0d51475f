import { closeRedis } from "@/lib/limits/redis-counters";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { closeDatabase } from "@/lib/store/database";
import { runProgram } from "./program";

try {
  await runProgram(process.argv.slice(2));
} finally {
  await closeReadingEngine();
  closeRedis();
  await closeDatabase();
}
