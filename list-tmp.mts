import { writeFileSync } from "node:fs";
const root="/work/wt/corpus/";
const { withBothDoors } = await import("./lib/testing/both-doors.ts");
const { DOOR_FILES } = await import("./lib/testing/door-files/index.ts");
const { judged } = await import("./lib/testing/door-files/judge.ts");
const only = process.argv[2];
const out: string[] = []; let n = 0, bad = 0;
await withBothDoors(async (d: any) => {
  for (const [theme, files] of Object.entries(DOOR_FILES) as any) for (const f of files) {
    if (only && !`${theme} ${f.name}`.includes(only)) continue;
    const b = typeof f.bytes === "function" ? await f.bytes() : f.bytes;
    for (const door of ["publish", "recipe"]) {
      n++;
      let why; try { why = judged(await d[door](f.file, b), f[door], door === "recipe" ? f.notWarned : undefined); } catch (e) { why = "FIXTURE " + e; }
      if (why !== undefined) { bad++; out.push(`${theme} · ${f.name} · ${door}: ${String(why).slice(0, 900)}`); }
    }
  }
});
const head = `${bad} of ${n} outcomes (file × door) differ; state ${new Date().toISOString()}; run: npm run -s unit -- lib/readers/both-doors.test.ts\n`;
if (!only) writeFileSync("/work/wt/corpus-failures.txt", head + out.join("\n") + "\n"); 
console.log(head + (only ? out.join("\n") : ""));
process.exit(0);
