import { describe, expect, test } from "vitest";
import { sends, useSourceReader } from "@/lib/testing/source-reader";
import { lookupOf } from "@/lib/testing/source-server";

const source = useSourceReader();
const { read, failureOf } = source;

describe("addresses that are rejected before anything is sent, with the same message:", () => {
  const names = ["source.example.org", "source.example.org.", "xn--lcalhost-n4a.example.org"];
  const resolved = [
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "169.254.169.254",
    "168.63.129.16",
    "::1",
    "::",
    "fd00::1",
  ].concat(["::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "fec0::1", "::127.0.0.1", "2002:7f00:1::"]);
  const literals = [
    "127.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.1",
    "127.1",
    "[::1]",
    "[::]",
    "[::ffff:7f00:1]",
    "0",
  ].concat(["127.0.0.1.", "[64:ff9b::7f00:1]", "①②⑦.⓪.⓪.①", "169.254.169.254"]);
  const strict = () => source.server.connecting({ privateHosts: [], ports: [80, 443] });

  test.each(resolved)("a name that resolves to %s", async (address) => {
    for (const name of names) {
      const connecting = { ...strict(), lookup: lookupOf(address) };
      const { code, message } = await failureOf(read({ url: `http://${name}/` }, { connecting }));
      expect({ code, message }).toEqual({
        code: "source_refused",
        message: `${new URL(`http://${name}`).host} is not a public http address.`,
      });
    }
    expect(source.server.asked).toEqual([]);
  });

  test("a name that resolves to a public and a private address", async () => {
    const connecting = { ...strict(), lookup: lookupOf("93.184.216.34", "127.0.0.1") };
    expect((await failureOf(read({ url: "http://source.example.org/" }, { connecting }))).code).toBe("source_refused");
  });

  test.each(literals)("http://%s", async (host) => {
    const connecting = { ...strict(), lookup: lookupOf("127.0.0.1") };
    const { code, message } = await failureOf(read({ url: `http://${host}/` }, { connecting }));
    expect({ code, message }).toEqual({
      code: "source_refused",
      message: `${new URL(`http://${host}/`).host} is not a public http address.`,
    });
  });

  test.each([
    "ftp://source.example.org/x",
    "file:///etc/passwd",
    "http://user:word@source.example.org/",
    "http://source.example.org:22/",
    "http://source.example.org:5432/",
  ])("%s", async (url) => {
    const connecting = { ...strict(), lookup: lookupOf("127.0.0.1") };
    expect((await failureOf(read({ url }, { connecting }))).code).toBe("source_refused");
  });

  test("this service itself, also with a trailing dot", async () => {
    const connecting = { ...strict(), ownHosts: ["data.example.org"], lookup: lookupOf("93.184.216.34") };
    for (const host of ["data.example.org", "data.example.org.", "DATA.example.org"])
      expect((await failureOf(read({ url: `https://${host}/` }, { connecting }))).message).toMatch(/kind table/);
  });

  test("every hop of a redirect", async () => {
    for (const to of ["http://127.0.0.1:1/", "http://[::1]/", "http://169.254.169.254/", "file:///etc/passwd"]) {
      source.server.answer((_request, reply) => void reply.writeHead(302, { location: to }).end());
      expect((await failureOf(read())).code).toBe("source_refused");
    }
    expect(source.server.asked.length).toBe(4);
  });

  test("a name is looked up once, so that it cannot resolve to another address afterwards", async () => {
    let lookups = 0;
    const first = lookupOf("127.0.0.1");
    const lookup = ((...args: Parameters<typeof first>) => {
      lookups += 1;
      return first(...args);
    }) as typeof first;
    const { port } = new URL(source.server.origin);
    const connecting = source.server.connecting({ privateHosts: [`name.example.org:${port}`], lookup });
    source.server.answer(sends("a"));
    await read({ url: `http://name.example.org:${port}/` }, { connecting });
    expect(lookups).toBe(1);
  });
});

test("six redirects are too many", async () => {
  source.server.answer((_request, reply) => void reply.writeHead(302, { location: "/again" }).end());
  expect((await failureOf(read())).code).toBe("source_refused");
  expect(source.server.asked.length).toBe(6);
});
