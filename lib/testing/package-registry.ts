import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { tar } from "@/lib/kernel/tar";

/** A registry with one package on loopback, whose `latest` moves with every release. */
export interface PackageRegistry {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  host: string;
  /** Requested paths, in order. */
  asked: string[];
  /** Publishes a release with one file, which becomes the latest. */
  release(version: string, path: string, content: Buffer): void;
  close(): void;
}

/** Starts a registry without releases. */
export async function startPackageRegistry(name: string): Promise<PackageRegistry> {
  const tarballs = new Map<string, Buffer>();
  const asked: string[] = [];
  let latest = "";
  const server = createServer(({ url = "" }, reply) => {
    asked.push(url);
    const tarball = tarballs.get(url);
    if (url === `/${name}`) reply.end(JSON.stringify(metadata(name, latest, tarballs)));
    else if (tarball) reply.end(tarball);
    else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ origin: `http://${host}`, host, asked },
    release: (version, path, content) => {
      latest = version;
      tarballs.set(tarballPath(name, version), gzipSync(tar([[`package/${path}`, content]]), { level: 1 }));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const tarballPath = (name: string, version: string): string => `/${name}/-/${name}-${version}.tgz`;

function metadata(name: string, latest: string, tarballs: ReadonlyMap<string, Buffer>): object {
  const bytes = tarballs.get(tarballPath(name, latest)) ?? Buffer.alloc(0);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { tarball: `https://registry.example.org${tarballPath(name, latest)}`, integrity };
  return { "dist-tags": { latest }, versions: { [latest]: { dist } } };
}
