import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Runs a package's script under this Node until it exits; its output is shown only if it fails. */
export function runPackage(root: string, name: string, file: string, args: readonly string[]): Promise<void> {
  const script = join(dirname(createRequire(join(root, "package.json")).resolve(`${name}/package.json`)), file);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    const end = () => void child.kill();
    process.once("exit", end);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", end);
      if (code === 0) resolve();
      else reject(new Error(`${name} ${args.join(" ")} failed:\n${Buffer.concat(output).toString()}`));
    });
  });
}
