import { describe, expect, test } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { useRemoteService } from "@/lib/testing/remote-service";
import { awaitCredential } from "./device-login";

const remote = useRemoteService();
const { metadata } = remote;

describe("polling for the person's decision", () => {
  const begun = {
    device_code: "d",
    user_code: "BCDF-GHJK",
    verification_uri: "",
    verification_uri_complete: "",
    expires_in: 900,
    interval: 5,
  };

  /** Replies in order; returns how long the command line slept before each request. */
  async function waits(...errors: (string | number)[]) {
    const slept: number[] = [];
    let time = 0;
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms / 1000);
      time += ms;
    };
    remote.answers = () => {
      const next = errors.shift();
      if (typeof next === "number") return { status: next, body: "" };
      return next === undefined
        ? { body: { access_token: "t", expires_in: 1, scope: "s" } }
        : { status: 400, body: { error: next } };
    };
    const result = await awaitCredential(metadata(), begun, { now: () => time, sleep }).catch((error: Error) => error);
    return { result, slept };
  }

  test("waits the interval plus five seconds per slow_down, and doubles it while the service is down", async () => {
    const { result, slept } = await waits(
      "authorization_pending",
      "slow_down",
      "authorization_pending",
      "slow_down",
      502,
      "authorization_pending",
    );
    expect(slept).toEqual([5, 5, 10, 10, 15, 30, 30]);
    expect(result).toMatchObject({ access_token: "t" });
  });

  test("reports denial and expiry, and stops polling on its own", async () => {
    expect((await waits("access_denied")).result).toMatchObject({
      message: expect.stringContaining("The request was denied"),
      exitCode: 2,
    });
    expect((await waits("expired_token")).result).toMatchObject({
      message: expect.stringContaining("The code has expired"),
      exitCode: 2,
    });
    const { result, slept } = await waits(...Array.from({ length: 500 }, () => "authorization_pending"));
    expect(result).toMatchObject({ message: expect.stringContaining("has expired") });
    expect(slept.length).toBe(180);
  });
});

test("a service is neither polled without a pause nor waited for indefinitely", async () => {
  const begun = {
    device_code: "d",
    user_code: "BCDF-GHJK",
    verification_uri: remote.url,
    verification_uri_complete: remote.url,
    expires_in: 900,
    interval: 5,
  };
  for (const change of [{ interval: 0 }, { interval: -5 }, { interval: 1e12 }, { expires_in: 1e300 }]) {
    let asked = 0;
    remote.answers = (path) => {
      if (path === "/token") asked++;
      return path === "/device_authorization" ? { body: { ...begun, ...change } } : { body: metadata() };
    };
    expect(await callCommand("login", "--url", remote.url)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Signing in"),
    });
    expect(asked).toBe(0);
  }
});
