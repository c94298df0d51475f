import { openAsBlob, statSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { fromHere } from "@/lib/cli/from-here";
import { printable } from "@/lib/cli/printable";
import { fileDigest } from "@/lib/kernel/file-digest";
import { suggestedName, uploadNameSchema } from "@/lib/schemas/upload";
import { type ChosenService, signedInService } from "./chosen-service";
import { CommandError } from "./command-error";
import { endpointsOf } from "./endpoints";
import { holderOf } from "./holder";
import { sendFile } from "./send-file";
import { URL_OPTION } from "./sign-in-commands";

const HELP = `
Recipes of the workspace read the file as {kind: upload, upload: NAME}; earlier files of that name are kept so that
runs can be repeated. A large file is sent in parts: after an interruption, the same command continues where it
stopped, within two days. Requires a sign-in with parquetry login --build, to a workspace on a paid plan.

  parquetry upload levels-2026.csv --name levels

parquetry uploads lists and deletes what was uploaded.`;

interface Options {
  url?: string;
  name?: string;
  json?: boolean;
}

/** `upload`: makes a file on this computer a source of recipes. */
export function addUploadCommand(program: Command): void {
  program
    .command("upload <file>")
    .description("Uploads a file for recipes of the workspace, which read it by name.")
    .option("--name <name>", "its name in recipes (default: the file's own name)")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action(upload);
}

async function upload(given: string, { url, name: wanted, json }: Options): Promise<void> {
  const path = fromHere(given);
  const fileName = basename(path);
  const name = nameOf(wanted ?? suggestedName(fileName));
  requireFile(path, given);
  const service = signedInService(url);
  const sha256 = Buffer.from(await fileDigest(path), "hex");
  const file = await openAsBlob(path);
  const address = `${service.service}/api/v2/build/workspaces/${await workspaceOf(service)}/uploads/${name}`;
  const query = new URLSearchParams({ file_name: fileName.slice(0, 255) });
  const headers = { "x-api-key": service.credential, "content-type": "application/octet-stream" };
  const digest = `sha-256=:${sha256.toString("base64")}:`;
  const reply = await sendFile(`${address}?${query}`, { file, digest, headers, what: `Uploading ${given}` });
  if (json) {
    process.stdout.write(`${printable(reply.text)}\n`);
    return;
  }
  const { upload: stored, outcome } = reply.json as { upload: { content_digest: string }; outcome: string };
  const words = outcome === "stored" ? "Stored" : "Already stored";
  process.stdout.write(`${printable(`${words} as ${name}, ${stored.content_digest}`)}\n`);
}

function nameOf(text: string): string {
  const { success, error } = uploadNameSchema.safeParse(text);
  if (success) return text;
  throw new CommandError(`Invalid name: ${text}. ${error.issues[0]?.message ?? ""} Use --name.`);
}

function requireFile(path: string, given: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`${given} is not a file.`);
  if (found.size === 0) throw new CommandError(`${given} is empty.`);
}

/** The workspace that the computer is signed in to. */
export async function workspaceOf({ service, credential }: ChosenService & { credential: string }): Promise<string> {
  const holder = await holderOf(await endpointsOf(service), credential);
  if (holder?.workspace_id !== undefined) return holder.workspace_id;
  throw new CommandError(`${service} does not accept this computer. Sign in again: parquetry login --build`);
}
