import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const NGINX = "/usr/sbin/nginx";

/** nginx serving a folder with one file, with its default settings. */
export async function startNginx(file: string, port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "parquetry-nginx-"));
  const config = join(folder, "nginx.conf");
  await writeFile(config, configOf(folder, dirname(file), port));
  const child = spawn(NGINX, ["-c", config, "-p", folder, "-e", join(folder, "error.log")], { stdio: "inherit" });
  await sleep(500);
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}/${basename(file)}`, stop };
}

function configOf(folder: string, root: string, port: number): string {
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(" ");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  return `daemon off; ${user} worker_processes 2; pid ${join(folder, "pid")}; events {}
http { access_log off; ${temp} server { listen 127.0.0.1:${port}; root ${root}; } }`;
}
