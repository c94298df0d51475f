import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessionContext } from "@/app/context";
import type { SearchParams } from "@/app/search-params";
import { NeedsScript } from "@/components/form/needs-script";
import { WORKSPACE_COOKIE } from "@/components/settings/workspace-address";
import { ConsentForm } from "@/components/sign-in/consent-form";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { workspaceChoices } from "@/components/sign-in/workspace-choices";
import { Notice } from "@/components/ui/notice";
import { type ClientStanding, clientStanding } from "@/lib/oauth/known-clients";
import { isLoopback, isReachedUnasked } from "@/lib/oauth/redirect-uri";
import { rightsOf } from "@/lib/oauth/scopes";
import { readAgentRequest } from "@/lib/operations/account/agent-consent";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";

export const metadata: Metadata = { title: "Connect an agent", robots: { index: false } };

/**
 * Asks a person whether to connect a program: which one it is, where it sends them, what it may do, and in which
 * workspace.
 */
export default async function ConsentPage({ searchParams }: { searchParams: SearchParams }) {
  const query = queryOf(await searchParams);
  const ctx = await sessionContext(`/oauth/consent?${query}`);
  const checked = await readAgentRequest(query, ctx);
  if (checked.outcome === "answered") {
    // which replies with a 302; a page can only send a 307
    if (isReachedUnasked(checked.location)) redirect(`/oauth/authorize?${query}`);
    return <AskedWrongly location={checked.location} />;
  }
  if (checked.outcome === "rejected") {
    return (
      <NarrowPage title="This app cannot be connected">
        <Notice tone="danger">{checked.message}</Notice>
        <p className="mt-4 text-muted text-sm">
          Nothing was shared with it. Start again from the app. If this keeps happening, contact its developers.
        </p>
      </NarrowPage>
    );
  }
  const { client, redirectUri, scopes } = checked.request;
  const standing = clientStanding(client, redirectUri);
  const account = await execute(getAccount, {}, ctx);
  return (
    <NarrowPage title={`Connect ${client.name}?`} intro={introOf(standing)}>
      <NeedsScript what="Answering" />
      <ConsentForm
        request={query}
        program={{
          ...standing,
          goesTo: hostOf(redirectUri),
          isLocal: isLoopback(redirectUri),
        }}
        rights={rightsOf(scopes)}
        workspaces={workspaceChoices(account, (await cookies()).get(WORKSPACE_COOKIE)?.value)}
        email={account.email}
      />
    </NarrowPage>
  );
}

const introOf = ({ provenBy }: ClientStanding): string =>
  provenBy ? `An app of ${provenBy} wants access.` : "An app wants access. Its name has not been verified.";

/** The program's request is invalid: the person decides whether to continue to its unverified site with the error. */
function AskedWrongly({ location }: { location: string }) {
  return (
    <NarrowPage title="This app cannot be connected">
      <Notice tone="danger">{new URL(location).searchParams.get("error_description")}</Notice>
      <p className="mt-4 text-muted text-sm">
        Nothing was shared with it. If you came from there,{" "}
        <a className="link" href={location} rel="noreferrer">
          go back to {hostOf(location)}
        </a>
        .
      </p>
    </NarrowPage>
  );
}

/** The query string as received, including repeated names. */
function queryOf(parameters: Awaited<SearchParams>): string {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => [name, text] as [string, string]),
  );
  return new URLSearchParams(entries).toString();
}

/** A site by its host, in the form used by the network; a program's own scheme with it. */
function hostOf(address: string): string {
  const { protocol, host } = new URL(address);
  return /^https?:$/.test(protocol) ? host : `${protocol}//${host}`;
}
