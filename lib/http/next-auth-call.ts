import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { defaultOf } from "@/lib/kernel/common-js";

export interface NextAuthCall {
  method: string;
  headers: Headers;
  /** The query parameters. */
  query: URLSearchParams;
  /** The path after `/api/auth/`. */
  action: readonly string[];
  cookies: Readonly<Record<string, string>>;
  form: Readonly<Record<string, string>> | undefined;
}

/**
 * Runs next-auth through its older interface, which takes everything from its arguments. The newer one reads cookies
 * from the framework, which rewrites the reply's cookies and so loses the instruction to delete one.
 */
export async function callNextAuth(
  { method, headers, query, action, cookies, form }: NextAuthCall,
  options: NextAuthOptions,
): Promise<Response> {
  const request = {
    method,
    headers: Object.fromEntries(headers),
    cookies,
    body: form,
    query: { ...Object.fromEntries(query), nextauth: action },
  };
  const reply = new RecordedReply();
  await defaultOf(NextAuth)(request as unknown as NextApiRequest, reply as unknown as NextApiResponse, options);
  return reply.toResponse();
}

/** The part of a NextApiResponse that next-auth writes to. */
class RecordedReply {
  readonly #headers = new Map<string, string | string[]>();
  #status = 200;
  #body: string | null = null;

  status(status: number): this {
    this.#status = status;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  setHeader(name: string, value: string | string[]): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  json(value: unknown): void {
    this.setHeader("content-type", "application/json");
    this.#body = JSON.stringify(value);
  }

  send(body: unknown): void {
    this.#body = typeof body === "string" || body === undefined ? (body ?? null) : JSON.stringify(body);
  }

  end(): void {}

  toResponse(): Response {
    const headers = new Headers();
    for (const [name, value] of this.#headers) for (const line of [value].flat()) headers.append(name, line);
    return new Response(this.#body, { status: this.#status, headers });
  }
}
