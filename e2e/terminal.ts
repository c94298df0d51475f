import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "@playwright/test";
import { noteFound, used } from "./used-secrets";

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A person's terminal on their own computer: the command line as installed, with its own home and no data folder. */
export class Terminal {
  /** The person's XDG_CONFIG_HOME. */
  readonly home = mkdtempSync(join(tmpdir(), "parquetry-terminal-"));
  private readonly running = new Set<ChildProcess>();

  constructor(private readonly service: string) {}

  /** Runs a command until it exits. */
  run(...args: readonly string[]): Promise<Finished> {
    return this.start(args).finished;
  }

  /** Starts a sign-in. Returns the code on the screen, and how the sign-in ends. */
  async login(
    name: string,
    ...options: readonly string[]
  ): Promise<{ code: string; link: string; finished: Promise<Finished> }> {
    const { printed, finished } = this.start(["login", "--url", this.service, "--name", name, ...options]);
    await expect.poll(printed).toMatch(/and compare the code/);
    const code = /^Type {2}(\S+)$/m.exec(printed())?.[1] ?? "";
    for (const spelling of [code, code.replace("-", "")]) used(spelling, "a device's code to type");
    return { code, link: /or open (\S+)/.exec(printed())?.[1] ?? "", finished };
  }

  get file(): string {
    return join(this.home, "parquetry", "credentials.json");
  }

  /** The stored credential, and the mode of its file. */
  get kept(): { credential: string; mode: number } {
    const text = readFileSync(this.file, "utf8");
    noteFound(text, "the file of a terminal");
    return { credential: /svc_cli_[0-9A-Za-z]{46}/.exec(text)?.[0] ?? "", mode: statSync(this.file).mode & 0o777 };
  }

  close(): void {
    for (const child of this.running) child.kill("SIGKILL");
    rmSync(this.home, { recursive: true, force: true });
  }

  private start(args: readonly string[]): { printed: () => string; finished: Promise<Finished> } {
    const child = spawn(process.execPath, ["lib/start/command-line.ts", ...args], {
      cwd: resolve(import.meta.dirname, ".."),
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        XDG_CONFIG_HOME: this.home,
        PARQUETRY_DATA_DIR: "/nowhere/at/all",
      },
    });
    this.running.add(child);
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk) => (text[name] += String(chunk)));
    const finished = new Promise<Finished>((done) =>
      child.once("close", (code) => {
        this.running.delete(child);
        done({ code, ...text });
      }),
    );
    return { printed: () => text.stdout, finished };
  }
}
