import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runFolder, type UsedSecret, usedSecrets } from "./used-secrets";

/** The forms that a secret takes in text: as it is, in JSON, in a URL, in a form, and as printed bytes. */
function spellings({ secret }: UsedSecret): string[] {
  const bytes = Buffer.from(secret);
  const inForm = new URLSearchParams({ x: secret }).toString().slice(2);
  const asBytes = [bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inForm, ...asBytes];
}

/**
 * Where the secrets of this run occur in files and folders: path, line, and the secret's use. Uses grep, which searches
 * for thousands of strings at once and reads binary files too.
 */
export function findSecrets(paths: readonly string[], skipped: readonly string[] = []): string[] {
  const uses = new Map(
    usedSecrets().flatMap((entry) => spellings(entry).map((spelling) => [spelling, entry.what] as const)),
  );
  const patterns = join(runFolder(), "patterns");
  writeFileSync(patterns, `${[...uses.keys()].join("\n")}\n`);
  const found = grep([...skipped, "-rnaoHF", "-f", patterns, "--", ...paths]);
  return found.map((line) => {
    const [, path = "", number = "", secret = ""] = /^(.*?):(\d+):(.*)$/s.exec(line) ?? [];
    return `${path}:${number}: ${secret.slice(0, 4)}… (${uses.get(secret) ?? "?"})`;
  });
}

function grep(args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync("grep", [...args], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0 && status !== 1) throw new Error(`grep: ${stderr}`); // 1: nothing found
  return stdout.split("\n").filter(Boolean);
}
