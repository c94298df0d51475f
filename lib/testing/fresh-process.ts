// Before each file that shares a process: nothing is left of the file before it (lib/kernel/process-wide.ts).
Reflect.deleteProperty(globalThis, Symbol.for("parquetry.process-wide"));
