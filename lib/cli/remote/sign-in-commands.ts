import { hostname } from "node:os";
import type { Command } from "commander";
import { keyEnds } from "@/lib/auth/access-key";
import { print } from "@/lib/cli/output";
import { printable } from "@/lib/cli/printable";
import { chosenService, endedText, signedInService } from "./chosen-service";
import { CommandError } from "./command-error";
import { credentialFile, forgetCredential, keepCredential } from "./credential-file";
import { awaitCredential, type BegunLogin, beginLogin } from "./device-login";
import { endpointsOf } from "./endpoints";
import { holderOf, revokeCredential } from "./holder";

export const URL_OPTION = ["--url <address>", "the service (default: the one last signed in to)"] as const;

const LOGIN_HELP = `
Prints a code and a URL. Open the URL in any browser, on any computer or phone, sign in, compare the code and approve
it. The credential can read data for the workspace you choose and connect public datasets to it. It is valid for half
a year, stored in $XDG_CONFIG_HOME/parquetry/credentials.json (default: ~/.config), which only you can read, and never
printed. Revoke it with parquetry logout, or under Settings, Access.

  parquetry login --url https://data.example.org
  parquetry call query_table '{"table_id": "…", "columns": ["CO2"], "limit": 5}'

Exit status: 0 done, 1 failed, 2 not signed in or no longer signed in, 3 service unreachable.`;

interface Options {
  url?: string;
  name?: string;
  forget?: boolean;
  build?: boolean;
  json?: boolean;
}

/** `login`, `logout`, `whoami`: for a person who uses a service on another computer. No database, no data folder. */
export function addSignInCommands(program: Command): void {
  program
    .command("login")
    .description("Signs this computer in to a service with a code that you enter on its web page.")
    .option(
      "--url <address>",
      "the service (default: the one last signed in to, otherwise the one in this machine's settings)",
    )
    .option("--name <name>", "a name for this computer (default: its host name)")
    .option("--build", "allow building datasets, not only reading")
    .addHelpText("after", LOGIN_HELP)
    .action(login);
  program
    .command("logout")
    .description("Revokes this computer's credential and deletes it.")
    .option(...URL_OPTION)
    .option("--forget", "only delete it, without contacting the service")
    .action(logout);
  program
    .command("whoami")
    .description("Shows who is signed in, to which service, and until when.")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .action(whoami);
}

async function login({ url, name = hostname(), build = false }: Options): Promise<void> {
  const { service, credential: former } = chosenService(url);
  const endpoints = await endpointsOf(service);
  const begun = await beginLogin(endpoints, name, build ? ["datasets:read", "datasets:build"] : ["datasets:read"]);
  process.stdout.write(printable(invitation(begun)));
  const { access_token: credential, expires_in: seconds } = await awaitCredential(endpoints, begun);
  keepCredential(service, credential, new Date(Date.now() + seconds * 1000));
  if (former !== undefined) await revokeCredential(endpoints, former).catch(() => undefined);
  const holder = await holderOf(endpoints, credential);
  process.stdout.write(
    printable(
      `\nSigned in to ` +
        `${service}${holder ? ` as ${holder.username}, in the workspace ${holder.workspace_name}` : ""}.\n`,
    ),
  );
}

const invitation = ({
  user_code: code,
  verification_uri: page,
  verification_uri_complete: link,
  expires_in: seconds,
}: BegunLogin): string =>
  `Open  ${page}\nType  ${code}\n\nor open ${link} and compare the code.\n` +
  `Waiting for approval for ${Math.round(seconds / 60)} minutes. Press Ctrl+C to cancel.\n`;

async function logout({ url, forget = false }: Options): Promise<void> {
  const { service, credential } = signedInService(url);
  if (!forget) await revokeAt(service, credential);
  forgetCredential(service);
  const where = forget
    ? `Deleted from this computer. It remains valid until you revoke it at ${service}/settings/access.`
    : `Signed out of ${service}.`;
  process.stdout.write(`${where}\n`);
}

async function revokeAt(service: string, credential: string): Promise<void> {
  try {
    await revokeCredential(await endpointsOf(service), credential);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      `${error.message} The credential is still valid. To delete it only from this computer, run: parquetry logout ` +
        `--forget`,
      "unreachable",
    );
  }
}

async function whoami({ url, json }: Options): Promise<void> {
  const { service, credential } = signedInService(url);
  const holder = await holderOf(await endpointsOf(service), credential);
  if (!holder) throw new CommandError(endedText(service), "notSignedIn");
  const { first4, last4 } = keyEnds(credential);
  print(
    {
      service,
      account: holder.username,
      workspace: holder.workspace_name,
      device: holder.device_name,
      scopes: json ? holder.scope.split(" ") : holder.scope,
      credential: `svc_cli_${first4}…${last4}`,
      expires: new Date(holder.exp * 1000).toISOString(),
      kept_in: credentialFile(),
    },
    json,
  );
}
