// `npm run release`: a release of the last commit in .build/release, the same bytes from the same Git, Node.js and npm
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** Programs print at most this much: the archive of all tracked files is 15 MB. */
const OUTPUT_BYTES_MAX = 2 ** 30;

type Manifest = Readonly<Record<string, unknown>> & { version: string };

interface Lock {
  packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A CycloneDX document, as far as it is read here. */
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string };
}

/**
 * Writes the archive of the last commit's files, an SBOM of its production packages, and SHA256SUMS of both; their
 * paths. Fails if tracked files have changes, which a release would not have.
 */
export function makeRelease(root: string, folder: string): string[] {
  const git = (...args: string[]): Buffer =>
    execFileSync("git", args, { cwd: root, maxBuffer: OUTPUT_BYTES_MAX, stdio: ["ignore", "pipe", "inherit"] });
  const changed = git("status", "--porcelain", "--untracked-files=no").toString().trimEnd();
  if (changed) throw new Error(`The release would not have these changes. Commit them first:\n${changed}`);
  const committedJson = (path: string): unknown => JSON.parse(git("show", `HEAD:${path}`).toString());
  const manifest = committedJson("package.json") as Manifest;
  const lock = committedJson("package-lock.json") as Lock;
  const committed = new Date(git("show", "-s", "--format=%cI", "HEAD").toString().trim());
  const name = `parquetry-${manifest.version}`;
  const files = {
    [`${name}.tar.gz`]: gzipSync(git("archive", "--format=tar", `--prefix=${name}/`, "HEAD"), { level: 9 }),
    [`${name}.cdx.json`]: Buffer.from(sbomOf(manifest, lock, committed)),
  };
  const sums = Object.entries(files).map(([file, content]) => `${digestOf(content)}  ${file}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return Object.entries({ ...files, SHA256SUMS: sums.join("") }).map(([file, content]) => {
    writeFileSync(join(folder, file), content);
    return join(folder, file);
  });
}

/**
 * npm's own SBOM of what `npm ci --omit=dev` installs, except that time and serial number follow from the commit. With
 * `--omit dev`, `npm sbom` also leaves out what both production and development need, so it gets a lock without the
 * packages of development instead.
 */
function sbomOf(manifest: Manifest, lock: Lock, time: Date): string {
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const production = { ...lock, packages: Object.fromEntries(packages.map(([at, each]) => [at, withoutDev(each)])) };
  const parent = mkdtempSync(join(tmpdir(), "parquetry-sbom-"));
  try {
    const cwd = join(parent, "parquetry"); // npm names the component after its folder
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), JSON.stringify(withoutDev(manifest)));
    writeFileSync(join(cwd, "package-lock.json"), JSON.stringify(production));
    const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
    const options = {
      cwd,
      maxBuffer: OUTPUT_BYTES_MAX,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    } as const;
    const sbom = JSON.parse(execFileSync("npm", args, options)) as Sbom;
    sbom.metadata.timestamp = time.toISOString();
    sbom.serialNumber = "";
    sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
    return `${JSON.stringify(sbom, null, 2)}\n`;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

const withoutDev = ({ devDependencies: _, ...others }: Readonly<Record<string, unknown>>) => others;

const digestOf = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");

/** A UUID of version 8 (RFC 9562), whose other bits are the text's digest. */
function uuidOf(text: string): string {
  const hex = digestOf(text);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(import.meta.dirname, "..");
  for (const path of makeRelease(root, join(root, ".build", "release"))) process.stdout.write(`${path}\n`);
}
