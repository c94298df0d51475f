import { readdirSync, readFileSync } from "node:fs";

/** Processor time of a process and its threads so far, in ms. A thread that has ended is not counted. */
export function processorMs(pid: number | undefined): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) => {
    const [running] = readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ");
    return Number(running);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
