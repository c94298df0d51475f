import { pino } from "pino";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { env } from "@/lib/kernel/env";
import { startListener } from "@/lib/server/listener";
import { watchMaintenance } from "@/lib/store/maintenance";

/** Starts an instance of the service in this process, with its listener and maintenance mode, and without pages. */
export async function startInstance(): Promise<{ url: string; close(): Promise<void> }> {
  const maintenance = await watchMaintenance(() => undefined);
  const listener = await startListener({
    door: { serves, takesFile, methods, handle },
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", settings: env(), logger: pino({ level: "silent" }) },
    maintenance: maintenance.current,
    bounds: { fileBytes: env().UPLOAD_BYTES },
  });
  const close = async () => {
    await maintenance.close();
    await listener.close(500);
  };
  return { url: listener.url, close };
}
