import type { APIRequestContext, APIResponse } from "@playwright/test";
import { expect } from "@playwright/test";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;
interface Document {
  paths: Record<
    string,
    Record<
      string,
      { responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, { schema: Json }> }> }
    >
  >;
  components: { schemas: Record<string, Json> };
}

/** Checks replies against the service's own OpenAPI document: status documented, headers present, body valid. */
export class Contract {
  readonly #document: Document;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

  private constructor(document: Document) {
    this.#document = document;
    this.#ajv.addSchema(document, "openapi.json");
  }

  static async of(request: APIRequestContext): Promise<Contract> {
    return new Contract((await (await request.get("/api/v2/public/openapi.json")).json()) as Document);
  }

  /** `path` is spelt as in the document, with its {parameters}. */
  async expectDocumented(method: "get" | "post", path: string, reply: APIResponse): Promise<void> {
    const { "x-request-id": requestId = "", "content-type": type = "" } = reply.headers();
    this.expectFits(method, path, {
      status: reply.status(),
      requestId,
      type,
      body: type.startsWith("application/json") ? await reply.json() : undefined,
    });
  }

  /** The same for a reply that has already been read. */
  expectFits(
    method: string,
    path: string,
    reply: { status: number; requestId: string; type: string; body: unknown },
  ): void {
    const response = this.#document.paths[path]?.[method]?.responses[String(reply.status)];
    expect(response, `${method} ${path} documents ${reply.status}`).toBeDefined();
    expect(reply.requestId).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    if (reply.type.split(";", 1)[0] !== "application/json") return;
    const pointer = ["paths", path, method, "responses", String(reply.status), "content", "application/json", "schema"]
      .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
      .join("/");
    const validate = this.#validator(pointer);
    validate(reply.body);
    expect(validate.errors ?? [], `${method} ${path} ${reply.status}`).toEqual([]);
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    if (known) return known;
    const made = this.#ajv.compile({ $ref: `openapi.json#/${encodeURI(pointer)}` });
    this.#validators.set(pointer, made);
    return made;
  }
}
