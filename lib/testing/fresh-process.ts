// Runs before each file that shares a process, so that nothing remains of the previous file
// (lib/kernel/process-wide.ts).
Reflect.deleteProperty(globalThis, Symbol.for("parquetry.process-wide"));
