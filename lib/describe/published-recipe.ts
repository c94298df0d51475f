import type { Family } from "@/lib/engine/types/column-type";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { recipeText } from "./recipe-text";

/** What a person decided about a column that was found. */
export interface ColumnChoice {
  /** As it was found. */
  found: string;
  /** Its name in the table. */
  name: string;
  type: string;
  /** Of dates that can be read in two ways: the format to read them by. */
  dateFormat?: string | undefined;
  isLeftOut: boolean;
  /** Whether each row must have a value. */
  isRequired: boolean;
  isKey: boolean;
}

/** What a person writes about a file that they publish. */
export interface PublishChoices {
  title: string;
  summary: string;
  license: string;
  publisher: string;
  columns: readonly ColumnChoice[];
}

type Step = Readonly<Record<string, unknown>>;
type Column = NonNullable<InspectionReply["columns"]>[number];

/** The choices as the inspection proposes them, for the form to begin with. */
export const proposedColumns = ({ table }: InspectionReply): ColumnChoice[] =>
  (table?.columns ?? []).map(({ name, type }) => ({
    ...{ found: name, name, type, isLeftOut: false, isRequired: false, isKey: false },
  }));

/** The recipe of one table from an inspected source, with a person's choices, as YAML. */
export function publishedRecipe(found: InspectionReply, choices: PublishChoices): string {
  const { title, summary, license, publisher, columns } = choices;
  const key = columns.filter(({ isKey, isLeftOut }) => isKey && !isLeftOut).map(({ name }) => name);
  return recipeText({
    schema_version: "service-recipe.v1",
    sources: [{ ...found.source, name: "source" }],
    tables: [
      {
        ...{ name: "data", from: "source", title },
        steps: stepsOf(found, columns),
        columns: columns
          .filter(({ isLeftOut }) => !isLeftOut)
          .map(({ name, type, isRequired, isKey }) => ({
            ...{ name, type },
            ...((isRequired || isKey) && { nullable: false }),
          })),
        ...(key.length > 0 && { primary_key: key }),
        checks: [{ check: "row_count", min: 1 }],
      },
    ],
    publish: { license, publisher: { name: publisher }, ...(summary !== "" && { summary }) },
  });
}

/** The proposed steps, but for columns of another type; then those, what is left out, and new names. */
function stepsOf(found: InspectionReply, choices: readonly ColumnChoice[]): Step[] {
  const proposed = new Map(proposedColumns(found).map((column) => [column.found, column]));
  const changed = choices.filter(
    (choice) => choice.type !== proposed.get(choice.found)?.type || choice.dateFormat !== undefined,
  );
  const names = new Set(changed.map((choice) => choice.found));
  const dropped = choices.filter(({ isLeftOut }) => isLeftOut).map((choice) => choice.found);
  const renamed = choices.filter((choice) => !choice.isLeftOut && choice.name !== choice.found);
  return [
    ...(found.table?.steps ?? []).flatMap((step) => withoutTyping(step, names)),
    ...changed.filter(({ isLeftOut }) => !isLeftOut).flatMap((choice) => typing(choice, found)),
    ...(dropped.length > 0 ? [{ step: "drop", columns: dropped }] : []),
    ...(renamed.length > 0
      ? [{ step: "rename", columns: Object.fromEntries(renamed.map((choice) => [choice.found, choice.name])) }]
      : []),
  ];
}

const TYPING: ReadonlySet<unknown> = new Set(["parse", "cast"]);

/** A step that gives columns their types, without some of them; nothing if none is left. */
function withoutTyping(step: Step, names: ReadonlySet<string>): Step[] {
  if (!TYPING.has(step.step)) return [step];
  const { columns } = step;
  const left = Array.isArray(columns)
    ? columns.filter((name) => !names.has(name))
    : Object.fromEntries(Object.entries(columns as object).filter(([name]) => !names.has(name)));
  return Object.keys(left).length > 0 ? [{ ...step, columns: left }] : [];
}

/** Readers whose cells are text, which is parsed; the values of others are cast. */
const TEXT: ReadonlySet<unknown> = new Set(["csv", "tsv", "xlsx"]);

/** The step that gives a column its type, in the formats that were found. */
function typing({ found: name, type, dateFormat }: ColumnChoice, { reader, columns = [] }: InspectionReply): Step[] {
  const isText = reader === undefined || TEXT.has(reader.format);
  if (!isText) return [{ step: "cast", columns: { [name]: type } }];
  if (type === "string") return [];
  const column = columns.find((each) => each.name === name);
  const tokens = column?.null_tokens ?? [];
  const formats = dateFormat === undefined ? (column?.date ?? []).slice(0, 1) : [dateFormat];
  return [
    {
      ...{ step: "parse", columns: [name], as: type },
      ...(parseColumnType(type)?.number && column?.number && { number: numberOf(column.number) }),
      ...(isReadByFormat(type) && formats.length > 0 && { date: { formats } }),
      ...(tokens.length > 0 && { null_tokens: tokens }),
    },
  ];
}

const BY_FORMAT: ReadonlySet<Family | undefined> = new Set(["date", "time", "timestamp"]);

/** Whether text is read as the type by formats such as `%Y-%m-%d`. */
export const isReadByFormat = (type: string): boolean => BY_FORMAT.has(parseColumnType(type)?.family);

const numberOf = ({ thousands, ...format }: NonNullable<Column["number"]>): object => ({
  ...format,
  ...(thousands.length > 0 && { thousands }),
});
