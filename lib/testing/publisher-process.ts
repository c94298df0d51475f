import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** `parquetry publish` as a separate process, which can be killed. */
export class PublisherProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<{ signal: string | null; output: string }>;

  /** Publishes a file as the table `t` of a dataset, with these settings only. */
  constructor(file: string, dataset: string, settings: Readonly<Record<string, string>>) {
    const words = ["--dataset", dataset, "--table", "t", "--title", "T", "--publisher", "P", "--license", "MIT"];
    this.#child = spawn(process.execPath, ["lib/start/command-line.ts", "publish", file, ...words], {
      env: { PATH: "/usr/bin:/bin", NODE_ENV: "test", ...settings },
    });
    let output = "";
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    this.ended = new Promise((resolve) => this.#child.on("close", (_code, signal) => resolve({ signal, output })));
  }

  /** Calls back as soon as it reports this step. */
  onStep(step: string, work: () => void): void {
    let text = "";
    this.#child.stderr.on("data", (chunk) => {
      const wasThere = text.includes(step);
      text += String(chunk);
      if (!wasThere && text.includes(step)) work();
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
