import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { admit } from "@/lib/access/authenticate";
import type { Context } from "@/lib/access/context";
import { insideContext, requestContextOf } from "@/lib/http/context";
import { credentialsOf } from "@/lib/http/credentials";
import { clientAddress } from "@/lib/http/listener-mark";
import { Failure } from "@/lib/kernel/errors";

/** The context in which a page that is the same for everyone runs operations. */
export const pageContext = (): Context => insideContext();

/** The same for a page that runs queries. They count against the visitor's IP address, as over the API. */
export const payingContext = async (): Promise<Context> => ({
  ...pageContext(),
  address: clientAddress(await headers()) ?? undefined,
});

/** The context of the signed-in person, once per request; undefined if nobody is signed in. */
export const visitorContext = cache(() => admitted("account"));

/** The same also for a session that has yet to be confirmed with a passkey: only for the page where it is. */
export const stepContext = cache(() => admitted("second_step"));

async function admitted(access: "account" | "second_step"): Promise<Context | undefined> {
  const ctx = requestContextOf("GET", await headers());
  try {
    return await admit(access, credentialsOf({ headers: await headers() }), ctx);
  } catch (error) {
    if (error instanceof Failure && error.status === 401) return undefined;
    throw error;
  }
}

/** The same for pages that require a sign-in: visitors sign in first and return to `path`. */
export async function sessionContext(path: string): Promise<Context> {
  return (await visitorContext()) ?? redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}
