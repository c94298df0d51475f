import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { insideContext } from "@/lib/http/context";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { meaningsCount } from "@/lib/store/catalogue/word-variants";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { sessionCookie } from "@/lib/testing/signed-in";
import { execute } from "./execute";
import { getFacets } from "./get-facets";
import { searchDatasets } from "./search-datasets";

useTestState();
afterAll(closeReadingEngine);

const search = (q: string) => execute(searchDatasets, { query: { q, limit: 20 } }, insideContext());

beforeAll(async () => {
  await publishText("flight-delays", `origin,plane\n${"JFK,A320\nLAX,B737\n".repeat(3)}`, { topics: ["aviation"] });
  await publishText("language-tags", "tag,name\ntlh,Klingon\nepo,Esperanto\n");
  await publishText("earthquakes", "magnitude\n4.2\n");
  await publishText("sightings", "species\nCanada goose\nMallard\n");
  await publishText("towns", "town\nCanada\nGoose Creek\nMallard Bay\n");
});

describe("words of other languages, synonyms and compounds", () => {
  test.each([
    ["Erdbeben", "earthquakes"],
    ["terremotos", "earthquakes"],
    ["séismes", "earthquakes"],
    ["Fluege", "flight-delays"],
    ["Flugverspätungen", "flight-delays"],
    ["vols retardés", "flight-delays"],
    ["languagetags", "language-tags"],
    ["earth quakes", "earthquakes"],
  ])("%s finds %s", async (q, slug) => {
    expect((await search(q)).datasets.map((entry) => entry.slug)).toEqual([slug]);
  });

  test("a compound is told of as one word", async () => {
    const [entry] = (await search("languagetags")).datasets;
    expect(entry?.matched_words).toMatchObject([{ word: "languagetags", found_as: ["language", "tags"] }]);
    const { words, suggestion } = await execute(getFacets, { query: { q: "languagetags" } }, insideContext());
    expect(words).toMatchObject([{ word: "languagetags", found: "similar", read_as: ["language", "tags"] }]);
    expect(suggestion).toBe("language tags");
  });

  test("a foreign word that a dataset itself uses is not translated", async () => {
    expect((await search("tag")).datasets.map(({ slug }) => slug)).toEqual(["language-tags"]);
    expect((await search("tag")).datasets[0]?.matched_words?.[0]?.found_as).toContain("tag");
  });

  test("the table of meanings has at most 300 words", () => {
    expect(meaningsCount).toBeLessThanOrEqual(300);
  });
});

describe("matches", () => {
  test("say which word was found where, and which was not", async () => {
    const { datasets, nearest } = await search("JFK to LAX flights zzyzx");
    expect(nearest).toBeUndefined();
    expect(datasets).toMatchObject([
      {
        slug: "flight-delays",
        matched_words: [
          { word: "jfk", found_as: ["jfk"], matched_on: ["values"] },
          { word: "lax", values: [{ table: "rows", column: "origin", value: "LAX" }] },
          { word: "flights", matched_on: ["slug", "title"] },
        ],
        missing_words: ["zzyzx"],
      },
    ]);
  });

  test("a whole value comes before one that has a word among others, and two words in it before one each", async () => {
    expect((await search("mallard")).datasets.map(({ slug }) => slug)).toEqual(["sightings", "towns"]);
    const { datasets } = await search("Canada goose");
    expect(datasets.map(({ slug }) => slug)).toEqual(["sightings", "towns"]); // the towns are newer
    expect(datasets[0]?.matched_words).toMatchObject([{ word: "canada", found_as: ["canada"] }, { word: "goose" }]);
  });

  test("if too few words match, the nearest datasets are returned with what matches, and none is counted", async () => {
    const { total, datasets, nearest } = await search("origin xylophone karaoke");
    expect([total, datasets]).toEqual([0, []]);
    expect(nearest).toMatchObject([
      {
        slug: "flight-delays",
        matched_words: [{ word: "origin", columns: ["origin"] }],
        missing_words: ["xylophone", "karaoke"],
      },
    ]);
    expect((await search("xylophone karaoke")).nearest).toBeUndefined();
    expect((await execute(searchDatasets, { query: { limit: 20 } }, insideContext())).nearest).toBeUndefined();
  });
});

describe("private datasets", () => {
  const keys: Record<string, string> = {};
  const cookies: Record<string, string> = {};

  beforeAll(async () => {
    const { pool } = await database();
    for (const name of ["member", "other"]) {
      const { id, key } = await createUseKey({ email: `${name}@example.com`, name }, new Date());
      const { rows } = await pool.query(`SELECT "workspaceId", "userId" FROM "AccessKey" WHERE id = $1`, [id]);
      keys[name] = key;
      cookies[name] = await sessionCookie(rows[0].userId);
      const slug = `secret-of-${name}`;
      await publishText(slug, `wombat,mood\n1,quokkaesque-${name}\n`, { topics: [`hidden-${name}`] });
      await pool.query(`UPDATE "Dataset" SET visibility = 'private', "workspaceId" = $1 WHERE slug = $2`, [
        rows[0].workspaceId,
        slug,
      ]);
    }
  });

  const ask = async (params: Record<string, string>, headers: Record<string, string>) => {
    const url = `http://localhost/datasets?${new URLSearchParams(params)}`;
    const reply = await serve({ GET: searchDatasets }).GET(new Request(url, { headers }), {
      params: Promise.resolve({}),
    });
    return { cache: reply.headers.get("cache-control"), ...(await reply.json()) };
  };
  const slugsFor = async (q: string, headers: Record<string, string> = {}) =>
    (await ask({ q }, headers)).datasets.map(({ slug }: { slug: string }) => slug);
  const memberKey = () => ({ "x-api-key": keys.member ?? "" });

  test.each(["secret", "wombat", "quokkaesque", "wmobat", "secretof", "hidden"])(
    "%s finds a workspace's own with its key, before and after others searched, and nobody else's",
    async (q) => {
      expect(await slugsFor(q)).toEqual([]);
      expect(await slugsFor(q, memberKey())).toEqual(["secret-of-member"]);
      expect(await slugsFor(q, { "x-api-key": keys.other ?? "" })).toEqual(["secret-of-other"]);
      expect(await slugsFor(q, { cookie: cookies.member ?? "" })).toEqual([]); // pages of a session are everybody's
      expect(await slugsFor(q)).toEqual([]);
      const { nearest, cache } = await ask({ q: `${q} xylophone karaoke` }, {});
      expect([nearest, cache]).toEqual([undefined, expect.stringMatching(/^public/)]);
      expect((await ask({ q }, memberKey())).cache).toMatch(/^private/);
    },
  );

  test("are in the listing, in every order and page by page, and counted in facets", async () => {
    for (const sort of ["title", "published", "relevance"]) {
      const params = sort === "relevance" ? { q: "rows" } : {};
      const whole = await ask({ ...params, sort, limit: "100" }, memberKey());
      const slugs = whole.datasets.map(({ slug }: { slug: string }) => slug);
      expect([slugs.length, slugs.includes("secret-of-member")]).toEqual([whole.total, true]);
      const paged: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await ask({ ...params, sort, limit: "1", ...(cursor && { cursor }) }, memberKey());
        paged.push(...page.datasets.map(({ slug }: { slug: string }) => slug));
        cursor = page.next_cursor;
      }
      expect([sort, paged]).toEqual([sort, slugs]);
    }
    const topics = async (headers: Record<string, string>) => {
      const reply = await serve({ GET: getFacets }).GET(new Request("http://localhost/facets", { headers }), {
        params: Promise.resolve({}),
      });
      const { total, facets } = await reply.json();
      return [total, facets.topic.map(({ value }: { value: string }) => value)];
    };
    expect(await topics({})).toEqual([5, ["aviation"]]);
    expect(await topics(memberKey())).toEqual([6, ["aviation", "hidden-member"]]);
  });

  test("a private dataset that becomes another workspace's, or is withdrawn, is found no more", async () => {
    const { pool } = await database();
    await pool.query(`UPDATE "Dataset" SET visibility = 'withdrawn' WHERE slug = 'secret-of-member'`);
    expect(await slugsFor("wombat", memberKey())).toEqual([]);
  });
});
