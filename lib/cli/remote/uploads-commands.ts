import type { Command } from "commander";
import { printRows } from "@/lib/cli/output";
import { printable } from "@/lib/cli/printable";
import { formatBytes, formatPlural } from "@/lib/kernel/format";
import type { UnfinishedUpload, Upload } from "@/lib/schemas/upload";
import { signedInService } from "./chosen-service";
import { CommandError } from "./command-error";
import { ask, type RemoteReply, unexpected } from "./remote-service";
import { URL_OPTION } from "./sign-in-commands";
import { workspaceOf } from "./upload-command";

const HELP = `
Files that were uploaded for recipes, including those with missing parts. Requires a sign-in with parquetry login
--build, to a workspace on a paid plan.

  parquetry uploads list
  parquetry uploads delete levels
  parquetry uploads delete levels --unfinished`;

interface Options {
  url?: string;
  json?: boolean;
}

/** `uploads …`: files that `upload` has stored or started to store. */
export function addUploadsCommands(program: Command): void {
  const uploads = program
    .command("uploads")
    .description("Lists and deletes files that were uploaded for recipes.")
    .addHelpText("after", HELP);
  withOptions(uploads.command("list"))
    .description("Prints every file, and how much of unfinished ones is stored.")
    .action(list);
  withOptions(uploads.command("delete <name>"))
    .description("Deletes the files with a name. What was made from them is kept.")
    .option("--digest <digest>", "only the one with this digest, sha256:…")
    .option("--unfinished", "only the stored parts of unfinished ones")
    .action(remove);
}

const withOptions = (command: Command): Command => command.option(...URL_OPTION).option("--json", "print JSON");

interface Listed {
  uploads: Upload[];
  unfinished: UnfinishedUpload[];
}

async function list({ url, json }: Options): Promise<void> {
  const { text, json: listed } = await callUploads(url, "GET", "");
  const { uploads, unfinished } = listed as Listed;
  if (json) process.stdout.write(`${printable(text)}\n`);
  else if (uploads.length + unfinished.length === 0) process.stdout.write("No uploads.\n");
  else printRows([...unfinished.map(unfinishedRow), ...uploads.map(uploadRow)], false);
}

const uploadRow = ({ name, bytes, current, stored_at, file_name, content_digest }: Upload) => ({
  ...{ name, held: formatBytes(bytes), state: current ? "stored" : "an earlier one", at: stored_at },
  ...{ file: file_name ?? "", digest: content_digest },
});

const unfinishedRow = ({ name, held_bytes, total_bytes, changed_at, file_name, content_digest }: UnfinishedUpload) => ({
  ...{ name: name ?? "", held: `${formatBytes(held_bytes)} of ${formatBytes(total_bytes)}`, state: "unfinished" },
  ...{ at: changed_at, file: file_name ?? "", digest: content_digest },
});

type Which = Options & { digest?: string; unfinished?: boolean };

async function remove(name: string, { url, json, digest, unfinished }: Which): Promise<void> {
  const path = `/${encodeURIComponent(name)}`;
  const digests = unfinished ? await unfinishedOf(name, url) : [digest];
  let deleted = 0;
  for (const one of digests) {
    const query = one === undefined ? "" : `?${new URLSearchParams({ digest: one })}`;
    const reply = await callUploads(url, "DELETE", path + query);
    deleted += (reply.json as { deleted: number }).deleted;
  }
  process.stdout.write(json ? `${JSON.stringify({ deleted })}\n` : `Deleted ${formatPlural(deleted, "file")}.\n`);
}

/** The digests of unfinished files with a name that are not also stored under it. */
async function unfinishedOf(name: string, url: string | undefined): Promise<string[]> {
  const { uploads, unfinished } = (await callUploads(url, "GET", "")).json as Listed;
  const stored = uploads.filter((each) => each.name === name).map(({ content_digest }) => content_digest);
  const found = unfinished.filter((each) => each.name === name && !stored.includes(each.content_digest));
  if (found.length === 0)
    throw new CommandError(`There is no unfinished file named ${name}. See parquetry uploads list`);
  return found.map(({ content_digest }) => content_digest);
}

async function callUploads(url: string | undefined, method: "GET" | "DELETE", path: string): Promise<RemoteReply> {
  const service = signedInService(url);
  const address = `${service.service}/api/v2/build/workspaces/${await workspaceOf(service)}/uploads${path}`;
  const reply = await ask(address, { method, headers: { "x-api-key": service.credential } });
  if (reply.status !== 200) throw unexpected(reply, method === "GET" ? "Listing uploads" : "Deleting an upload");
  return reply;
}
