import { describe, expect, test } from "vitest";
import { clientStanding } from "./known-clients";

const DOCUMENT = { id: "https://claude.ai/oauth/mcp-oauth-client-metadata", kind: "document", name: "Claude" } as const;
const registered = (name: string) => ({ id: "c1", kind: "registered", name }) as const;
const ELSEWHERE = "https://attacker.example/callback";

describe("what a person is told about the requesting program", () => {
  test("a program described by a document is verified if codes are sent to a website", () => {
    expect(clientStanding(DOCUMENT, "https://claude.ai/api/mcp/auth_callback")).toEqual({
      describedAt: "claude.ai",
      provenBy: "claude.ai",
      namedLike: null,
    });
  });

  test("on the person's own machine it is only described: any program there could have used the document", () => {
    expect(clientStanding(DOCUMENT, "http://127.0.0.1:1234/callback")).toMatchObject({
      describedAt: "claude.ai",
      provenBy: null,
    });
  });

  test.each([
    ["Claude", "Claude"],
    ["claude.ai", "Claude"],
    ["C L A U D E", "Claude"],
    ["Claude Code 2.1", "Claude Code"],
    ["Chat-GPT (official)", "ChatGPT"],
    ["visual studio code", "Visual Studio Code"],
    ["Weather reader", null],
  ])("a self-registered %s is named like %s", (name, known) => {
    expect(clientStanding(registered(name), ELSEWHERE)).toEqual({
      describedAt: null,
      provenBy: null,
      namedLike: known,
    });
  });

  test("a self-registered program with a known name whose codes go to that program's website is no warning", () => {
    expect(clientStanding(registered("Claude"), "https://claude.ai/api/mcp/auth_callback").namedLike).toBeNull();
    expect(clientStanding(registered("Claude"), "http://127.0.0.1:1234/callback").namedLike).toBe("Claude");
  });
});
