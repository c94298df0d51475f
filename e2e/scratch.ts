import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runFolder } from "./used-secrets";

/** A new folder for files of a test, which goes with its run. */
export const scratchFolder = (name: string): string => mkdtempSync(join(runFolder("files"), `${name}-`));
