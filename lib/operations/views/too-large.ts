import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { parseExactJson } from "@/lib/formats/exact-json";
import { type Failure, fail } from "@/lib/kernel/errors";
import { formatCount } from "@/lib/kernel/format";
import { locateTable } from "@/lib/operations/reading/locate-table";
import { profilesJson } from "@/lib/store/datasets/tables";

type Values = Readonly<Record<string, unknown>>;

type Profiles = Record<string, { length?: { max?: unknown } }>;

/** Length from which a reply can hold only a few cells. */
const LONG_CHARACTERS = 2_000;

/** What exceeded the size of a reply, in numbers, and how to read it nevertheless. */
export async function tooLarge(failure: Failure, args: Values, bytesMax: number, ctx: Context): Promise<Failure> {
  if (failure.code !== "result_too_large") return failure;
  const long = await longColumns(args, ctx);
  const [first] = long;
  const cells = long.map(([name, characters]) => `${name} has up to ${formatCount(characters)} characters per cell`);
  const how =
    first === undefined
      ? "Request fewer columns or groups."
      : `${cells.join("; ")}: leave it out, or read one cell in parts with ` +
        `"cell":{"column":${JSON.stringify(first[0])},"offset":0} and filters that match one row.`;
  const message = `Result too large: a reply holds ${formatCount(bytesMax)} bytes of rows. ${how}`;
  return fail("result_too_large", { message });
}

async function longColumns(args: Values, ctx: Context): Promise<[name: string, characters: number][]> {
  const version = await locateTable(String(args.table_id), readerOf(ctx));
  const profiles = parseExactJson(await profilesJson(version.versionId)) as Profiles;
  const requested = Array.isArray(args.columns) ? args.columns : version.columns.map(({ name }) => name);
  return requested.flatMap((name): [string, number][] => {
    const characters = Number(profiles[String(name)]?.length?.max ?? 0);
    return characters > LONG_CHARACTERS ? [[String(name), characters]] : [];
  });
}
