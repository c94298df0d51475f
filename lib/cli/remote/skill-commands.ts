import { join } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { fromHere } from "@/lib/cli/from-here";
import { textIfThere } from "@/lib/kernel/missing-file";
import { sha256Hex } from "@/lib/kernel/sha256";
import { replaceFile } from "@/lib/kernel/whole-file";
import { chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { ask, unexpected } from "./remote-service";
import { URL_OPTION } from "./sign-in-commands";

const INSTALL_HELP = `
Fetches the service's skills and verifies the digest of each before writing it.
An existing file with other content is replaced only with --force.

  parquetry skill install --url https://data.example.org             where you are: .claude/skills/NAME/SKILL.md
  parquetry skill install --dir ~/.claude/skills                     for all projects, or the folder of another agent`;

const BYTES_MAX = 256 * 1024;

const indexSchema = z.object({
  skills: z.array(
    z.object({
      name: z.string().regex(/^(?!-)[a-z0-9-]{1,64}$/),
      type: z.string(),
      url: z.string(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  ),
});
type Skill = z.output<typeof indexSchema>["skills"][number];

interface Options {
  url?: string;
  dir: string;
  force?: boolean;
}

/**
 * `skill install`: writes the skills that teach an agent to read a service and build datasets where the agent finds
 * them.
 */
export function addSkillCommands(program: Command): void {
  program
    .command("skill")
    .description("Manages the agent skills of a service.")
    .command("install")
    .description("Installs the service's skills into an agent's folder after verifying their digests.")
    .option(...URL_OPTION)
    .option("--dir <folder>", "the agent's skills folder", ".claude/skills")
    .option("--force", "replace an existing file with other content")
    .addHelpText("after", INSTALL_HELP)
    .action(install);
}

async function install({ url, dir, force = false }: Options): Promise<void> {
  const { service } = chosenService(url);
  const index = await ask(`${service}/.well-known/agent-skills/index.json`);
  const parsed = indexSchema.safeParse(index.json);
  if (index.status !== 200 || !parsed.success) throw new CommandError(`${service} does not offer any skills.`);
  const skills = parsed.data.skills.filter(({ type }) => type === "skill-md");
  if (skills.length === 0) throw new CommandError(`${service} does not offer any skills.`);
  for (const skill of skills)
    process.stdout.write(`${place(await fetchSkill(skill, service), join(fromHere(dir), skill.name), force)}\n`);
}

async function fetchSkill({ name, url, digest }: Skill, service: string): Promise<string> {
  if (!url.startsWith(`${service}/`))
    throw new CommandError(
      `The skill ${name} is hosted at ${url}, which belongs to another host. Nothing was written.`,
    );
  const reply = await ask(url);
  if (reply.status !== 200) throw unexpected(reply, `Fetching the skill ${name}`);
  const found = `sha256:${sha256Hex(reply.text)}`;
  if (found !== digest || reply.text.length > BYTES_MAX)
    throw new CommandError(
      `The digest of the skill ${name} does not match the service's list (${found}, expected ${digest}). Nothing ` +
        `was written.`,
    );
  return reply.text;
}

/** Writes the skill atomically; prints what was done. */
function place(text: string, folder: string, force: boolean): string {
  const path = join(folder, "SKILL.md");
  const former = textIfThere(path);
  if (former === text) return `${path} is up to date.`;
  if (former !== undefined && !force)
    throw new CommandError(`${path} already exists with other content. Replace it with --force.`);
  replaceFile(path, text, 0o644);
  return `${former === undefined ? "Written" : "Replaced"}: ${path}`;
}
