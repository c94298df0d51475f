import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "@playwright/test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { type Asked, type Question, THAT } from "./agent-question";
import { columnFor, filterFor, NotInTheData, type ToldColumn } from "./people-words";

interface Result {
  text: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each step picks what it needs from a reply.
  structured: any;
}

interface Spent {
  tool: string;
  /** Tokens of the arguments and the text, and of the structured content. */
  tokens: number;
  structured: number;
}

const FUNCTIONS = {
  sum: "sum",
  average: "avg",
  median: "median",
  largest: "max",
  smallest: "min",
  different: "count_distinct",
} as const;
const tokensOf = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

/**
 * Answers a person's questions as a model would, using only the tools: it knows their names and arguments, and how to
 * translate people's words into those of a schema. It counts the tokens that it sends and reads.
 */
export class ScriptedAgent {
  readonly spent: Spent[] = [];
  /** Replies with rows, which must be cited. */
  readonly rowReplies: string[] = [];

  private constructor(private readonly client: Client) {}

  static async connect(url: string, token?: string): Promise<ScriptedAgent> {
    const client = new Client({ name: "scripted-agent", version: "1" });
    const requestInit = token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), requestInit));
    return new ScriptedAgent(client);
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Result> {
    const result = await this.client.callTool({ name: tool, arguments: args });
    const text = (result.content as { text: string }[])[0]?.text ?? "";
    const structured = result.structuredContent;
    this.spent.push({
      tool,
      tokens: tokensOf(args) + tokensOf(text),
      structured: structured ? tokensOf(structured) : 0,
    });
    return { text, isError: result.isError ?? false, structured };
  }

  /** The values that answer the question: those of a single row, or one list per row. */
  async answer({ steps }: Question): Promise<unknown[]> {
    let rows: unknown[][] = [];
    try {
      for (const step of steps) rows = await this.ask(step, rows[0]?.[0]);
    } catch (thrown) {
      if (thrown instanceof NotInTheData) return ["not in the data", thrown.missing];
      throw thrown;
    }
    return rows.length === 1 ? (rows[0] as unknown[]) : rows;
  }

  private async ask(asked: Asked, that: unknown): Promise<unknown[][]> {
    const tables = await this.find(asked.about);
    const table_id = asked.table === undefined ? tables[0] : columnFor(asked.table, tables.map(named)).id;
    const columns = asked.dictated ? undefined : (await this.call("get_table_schema", { table_id })).structured.columns;
    const query = queryOf(asked, columns, that);
    const rows = await this.rowsOf({ table_id, ...query }, asked.rows === "all");
    return asked.moreThan === undefined ? rows : rows.filter((row) => Number(row.at(-1)) > (asked.moreThan as number));
  }

  /**
   * The names of the tables in the dataset that the words are about; from the person's connected datasets if the search
   * finds none.
   */
  private async find(about: string): Promise<string[]> {
    const [first] = (await this.call("search", { query: about })).structured.results;
    if (first) return first.tables;
    const { datasets } = (await this.call("list_connected_datasets", {})).structured;
    const titles: (ToldColumn & { slug: string })[] = datasets.map(
      ({ slug, title }: { slug: string; title: string }) => ({
        slug,
        name: title,
        type: "",
        profile: {},
      }),
    );
    return [columnFor(about, titles).slug];
  }

  /** The rows of all requested pages, each as the list of its values. */
  private async rowsOf(query: Record<string, unknown>, all: boolean): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { text, isError, structured } = await this.call("query_table", {
        ...query,
        ...(cursor !== undefined && { cursor }),
      });
      if (isError && correct(query, text)) continue;
      if (isError) throw new Error(`${JSON.stringify(query)} ${text}`);
      this.rowReplies.push(text);
      const listed = text.split("\n").filter((line) => line.startsWith("["));
      expect(listed.map((line) => JSON.parse(line))).toEqual(structured.rows); // either form is sufficient on its own
      rows.push(...structured.rows);
      cursor = all ? structured.next_cursor : null;
    }
    return rows;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** A table, `dataset/table`, in a form that can be chosen by name. */
const named = (id: string) => ({ id, name: id.split("/")[1] ?? id, type: "", profile: {} });

/** Applies the correction suggested in a rejection. Returns whether there was one. */
function correct(query: Record<string, unknown>, rejection: string): boolean {
  const meant = [...rejection.matchAll(/^- \/(\S+): .* Did you mean ("(?:[^"\\]|\\.)*")\?/gm)];
  for (const [, pointer = "", name = ""] of meant) {
    const steps = pointer.split("/");
    // biome-ignore lint/suspicious/noExplicitAny: a pointer leads through objects and lists.
    const place = steps.slice(0, -1).reduce((node: any, step) => node[step], query);
    place[steps.at(-1) as string] = JSON.parse(name);
  }
  return meant.length > 0;
}

/** The question as arguments of query_table. Without `columns`, the things already are columns. */
function queryOf(asked: Asked, columns: readonly ToldColumn[] | undefined, that: unknown): Record<string, unknown> {
  const known = columns ?? thingsOf(asked).map((name) => ({ name, type: "", profile: {} }));
  const name = (thing: string): string => columnFor(thing, known).name;
  const { where = [], tell = [], figure, per, most, least, rows = 1 } = asked;
  const conditions = where.map(([thing, relation, value]) =>
    filterFor([thing, relation, value === THAT ? that : value], known),
  );
  const order = most ?? least;
  return {
    columns: tell.map(name),
    ...(rows !== "all" && { limit: rows }),
    ...(conditions.length > 0 && { filters: conditions }),
    ...(per !== undefined && { group_by: [name(per)] }),
    ...(figure !== undefined && { aggregates: [aggregateOf(figure, name)] }),
    ...(order !== undefined && {
      order_by: [{ column: order === "figure" ? "figure" : name(order), direction: most ? "desc" : "asc" }],
    }),
  };
}

const thingsOf = ({ where = [], tell = [], figure, most, least }: Asked): string[] => [
  ...where.map(([thing]) => thing),
  ...tell,
  ...(Array.isArray(figure) ? [figure[1]] : []),
  ...[most ?? [], least ?? []].flat(),
];

function aggregateOf(figure: NonNullable<Asked["figure"]>, name: (thing: string) => string) {
  if (figure === "how many") return { function: "count", as: "figure" };
  return { function: FUNCTIONS[figure[0]], column: name(figure[1]), as: "figure" };
}
