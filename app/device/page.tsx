import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { sessionContext } from "@/app/context";
import { answerWith } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { WORKSPACE_COOKIE } from "@/components/settings/workspace-address";
import { DeviceAnswerForm } from "@/components/sign-in/device-answer-form";
import { DeviceCodeForm } from "@/components/sign-in/device-code-form";
import { deviceProblem } from "@/components/sign-in/device-problem";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { workspaceChoices } from "@/components/sign-in/workspace-choices";
import { Notice } from "@/components/ui/notice";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { formToken } from "@/lib/http/form-token";
import { Failure } from "@/lib/kernel/errors";
import { SCOPES, type Scope } from "@/lib/oauth/scopes";
import { getDeviceRequest } from "@/lib/operations/account/device-request";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import type { DeviceRequest } from "@/lib/schemas/device";

export const metadata: Metadata = { title: "Sign in a device", robots: { index: false } };

/** Where a person enters a command line's code and approves or denies it (RFC 8628, 3.3). Works without JavaScript. */
export default async function DevicePage({ searchParams }: { searchParams: SearchParams }) {
  const { user_code: typed, answered, error, wait } = await singleValues(searchParams);
  const ctx = await sessionContext(typed ? `/device?${new URLSearchParams({ user_code: typed })}` : "/device");
  if (answered) return answered === "allowed" ? <Allowed /> : <Rejected />;
  const problem = deviceProblem(error, wait);
  if (!typed) return <AskForCode problem={problem} />;
  const found = await readRequest(typed, ctx);
  if (found instanceof Failure) {
    await answerWith(found.status);
    return (
      <AskForCode
        typed={typed}
        problem={
          found.status === 429
            ? deviceProblem("throttled", String(Math.ceil(found.retryAfterSeconds ?? 60)))
            : found.message
        }
      />
    );
  }
  return <AskForAnswer request={found} problem={problem} ctx={ctx} />;
}

function AskForCode({ typed, problem }: { typed?: string; problem: string | undefined }) {
  return (
    <NarrowPage title="Sign in a device" intro="Enter the code shown by its command line.">
      <DeviceCodeForm typed={typed} problem={problem} />
      <p className="mt-8 border-line border-t pt-5 text-muted text-sm">
        No code? Get one with <code className="font-mono text-ink">parquetry login</code>.{" "}
        <Link className="link" href="/docs/command-line">
          How it works
        </Link>
      </p>
    </NarrowPage>
  );
}

async function AskForAnswer({
  request,
  problem,
  ctx,
}: {
  request: DeviceRequest;
  problem: string | undefined;
  ctx: Context;
}) {
  const account = await execute(getAccount, {}, ctx);
  return (
    <NarrowPage
      title="Allow this device?"
      intro="The Parquetry command line requests access to a workspace in your name. What it may do is listed below."
    >
      <DeviceAnswerForm
        request={request}
        rights={request.scopes.map((scope) => ({ scope, words: SCOPES[scope as Scope] }))}
        workspaces={workspaceChoices(account, (await cookies()).get(WORKSPACE_COOKIE)?.value)}
        email={account.email}
        token={formToken(personOf(ctx).id, request.user_code)}
        problem={problem}
        now={ctx.now()}
      />
    </NarrowPage>
  );
}

function Allowed() {
  return (
    <NarrowPage title="The device is signed in">
      <Notice tone="ok">
        Go back to your terminal. It continues automatically within a few seconds. You can close this page.
      </Notice>
      <p className="mt-4 text-muted text-sm">
        It is listed under{" "}
        <Link className="link" href="/settings/access#devices">
          Settings, Access
        </Link>
        , where you can revoke it at any time.
      </p>
    </NarrowPage>
  );
}

function Rejected() {
  return (
    <NarrowPage title="Access denied">
      <Notice>Nothing was shared with it, and its code no longer works.</Notice>
      <p className="mt-4 text-muted text-sm">
        If someone sent you that code or link, they tried to act in your name. You don’t need to do anything else.
      </p>
    </NarrowPage>
  );
}

async function readRequest(typed: string, ctx: Context): Promise<DeviceRequest | Failure> {
  try {
    return await execute(getDeviceRequest, { query: { user_code: typed.slice(0, 100) } }, ctx);
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return error;
    throw error;
  }
}
