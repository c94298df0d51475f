import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runFolder } from "./used-secrets";

/** A new folder for a test's files. It is deleted with its run. */
export const scratchFolder = (name: string): string => mkdtempSync(join(runFolder("files"), `${name}-`));
