import { evaluateExpression, familyOfType } from "./recipe-expressions";
import {
  cellAt,
  keyText,
  place,
  type RecipeColumn,
  RecipeEnd,
  type RecipeStep,
  type RecipeTable,
  setOf,
  textColumn,
} from "./recipe-table";
import { asFloat, printed, readDay, rescaled, type Typed, typed, type Value } from "./recipe-values";

type Apply = (step: RecipeStep, table: RecipeTable) => RecipeTable;

/** The result of a rule; undefined for a cell that does not fit. */
type Made = Value | undefined;

/** Applies a rule to one column's cells. A cell that does not fit ends the build, becomes null or drops its row. */
function ruled(
  table: RecipeTable,
  names: readonly string[],
  column: (old: RecipeColumn) => RecipeColumn,
  onError: string,
  rule: (cell: Typed) => Made,
): RecipeTable {
  const places = names.map((name) => place(table, name));
  let rejected = 0;
  const rows = table.rows.flatMap((row) => {
    const made = row.map((value, at): Made => {
      if (!places.includes(at) || value === null) return value;
      return rule(cellAt(table, row, at));
    });
    const bad = made.filter((value) => value === undefined).length;
    rejected += bad;
    if (bad > 0 && onError === "fail") throw new RecipeEnd("schema_violation");
    return bad > 0 && onError === "drop_row" ? [] : [made.map((value) => value ?? null)];
  });
  const columns = table.columns.map((old, at) => (places.includes(at) ? column(old) : old));
  return { columns, rows, rejected: table.rejected + rejected };
}

const INT32_MAX = 2n ** 31n;
const fitsInt32 = (value: bigint): Made => (value >= -INT32_MAX && value < INT32_MAX ? value : undefined);

/** Plain text as a type; undefined if it does not fit. */
export function fromText(text: string, type: string): Made {
  const { family, scale } = familyOfType(type);
  if (family === "text") return text;
  if (family === "date") return readDay(text);
  if (family === "bool") return text === "true" ? true : text === "false" ? false : undefined;
  if (family === "json") {
    try {
      JSON.parse(text);
      return text;
    } catch {
      return undefined;
    }
  }
  const [, whole, fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > scale) return undefined;
  const value = BigInt(whole + fraction.padEnd(scale, "0"));
  return family === "int" ? fitsInt32(value) : value;
}

function fromCell(cell: Typed, type: string): Made {
  const { family, scale } = familyOfType(type);
  if (family === "text") return printed(cell);
  if (cell.family === "text") return fromText((cell.value as string).replace(/^\+(?=\d)/, ""), type);
  if (family === "float") return asFloat(cell);
  const value = rescaled(cell.value as bigint, cell.scale, scale);
  if (rescaled(value, scale, cell.scale) !== cell.value) return undefined;
  return family === "int" ? fitsInt32(value) : value;
}

const cast: Apply = (step, table) => {
  const types = Object.entries(step.columns as Record<string, string>);
  return types.reduce(
    (made, [name, type]) =>
      ruled(
        made,
        [name],
        () => ({ name, ...familyOfType(type) }),
        step.on_error,
        (cell) => fromCell(cell, type),
      ),
    table,
  );
};

/** `1.234,50`: points before three digits, a comma before the fraction. */
function germanNumber(text: string, type: string): Made {
  const plain = text.replace(/[\u00a0\u202f\u2007\u2009]/g, " ").trim();
  if (!/^-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/.test(plain)) return undefined;
  return fromText(plain.replaceAll(".", "").replace(",", "."), type);
}

const germanDay = (text: string): Made => {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? [];
  return day === undefined ? undefined : readDay(`${year}-${month}-${day}`);
};

const parse: Apply = (step, table) =>
  ruled(
    table,
    setOf(table, step.columns),
    ({ name }) => ({ name, ...familyOfType(step.as) }),
    step.on_error,
    (cell) => {
      const text = String(cell.value);
      if (step.null_tokens?.includes(text.trim())) return null;
      if (step.number) return germanNumber(text, step.as);
      if (step.date) return readDay(text) ?? germanDay(text);
      if (step.boolean)
        return step.boolean.true.includes(text) || (step.boolean.false.includes(text) ? false : undefined);
      return fromText(text, step.as);
    },
  );

const always = (table: RecipeTable, names: readonly string[], rule: (text: string, cell: Typed) => Value) =>
  ruled(
    table,
    names,
    (old) => old,
    "null",
    (cell) => rule(String(cell.value), cell),
  );

const trim: Apply = (step, table) => {
  const texts = table.columns.filter(({ family }) => family === "text").map(({ name }) => name);
  return always(table, step.columns ?? texts, (text) => {
    const seen = text.replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "").replace(/[\u00a0\u202f\u2007\u2009]/g, " ");
    const cut = seen.trim();
    return step.collapse ? cut.replace(/[\p{Z}\t-\r\u0085]+/gu, " ") : cut;
  });
};

const nullIf: Apply = (step, table) =>
  always(table, step.columns, (text, cell) => (step.values.map(String).includes(text) ? null : cell.value));

const replace: Apply = (step, table) =>
  always(table, step.columns, (text) => {
    if (step.kind === "cell") return text === step.find ? step.with : text;
    if (step.kind === "pattern")
      return text.replace(
        new RegExp(step.find, "gu"),
        step.with
          .replaceAll("$", "$$$$")
          .replace(/\\0/g, "$$&")
          .replace(/\\(\d)/g, "$$$1"),
      );
    return text.split(step.find).join(step.with);
  });

const map: Apply = (step, table) => {
  const at = place(table, step.column);
  const rows = table.rows.map((row) => {
    const text = printed(cellAt(table, row, at));
    if (text === null) return row.toSpliced(at, 1, null);
    if (Object.hasOwn(step.values, text)) return row.toSpliced(at, 1, step.values[text]);
    if (step.otherwise === "error") throw new RecipeEnd("schema_violation");
    return row.toSpliced(at, 1, step.otherwise === "keep" ? text : null);
  });
  return { ...table, columns: table.columns.toSpliced(at, 1, textColumn(step.column)), rows };
};

const derive: Apply = (step, table) => {
  const names = Object.keys(step.columns);
  const made = table.rows.map((row) => names.map((name) => evaluateExpression(step.columns[name], table, row)));
  const blank = names.map((name) =>
    evaluateExpression(
      step.columns[name],
      table,
      table.columns.map(() => null),
    ),
  );
  const added = names.map((name, at) => {
    const first = made[0]?.[at] ?? blank[at] ?? typed("text", null);
    return { name, family: first.family, scale: first.scale };
  });
  const rows = table.rows.map((row, nth) => [...row, ...(made[nth] ?? []).map(({ value }) => value)]);
  return { ...table, columns: [...table.columns, ...added], rows };
};

/** New columns at the end, of parts of one cell. */
function inserted(
  step: RecipeStep,
  table: RecipeTable,
  columns: readonly RecipeColumn[],
  parts: (text: string) => { values: readonly Value[]; bad: number },
): RecipeTable {
  const at = place(table, step.column);
  let rejected = 0;
  const rows = table.rows.flatMap((row) => {
    const cell = row[at] ?? null;
    const { values, bad } = cell === null ? { values: columns.map(() => null), bad: 0 } : parts(String(cell));
    rejected += bad;
    if (bad > 0 && step.on_error === "fail") throw new RecipeEnd("schema_violation");
    if (bad > 0 && step.on_error === "drop_row") return [];
    return [[...(step.keep ? row : row.toSpliced(at, 1)), ...values]];
  });
  const kept = step.keep ? table.columns : table.columns.toSpliced(at, 1);
  return { columns: [...kept, ...columns], rows, rejected: table.rejected + rejected };
}

const extract: Apply = (step, table) => {
  const groups = Object.entries(step.into as Record<string, number>);
  return inserted(
    step,
    table,
    groups.map(([name]) => textColumn(name)),
    (text) => {
      const match = new RegExp(step.pattern, "u").exec(text);
      const values = groups.map(([, group]) => (match ? (match[group] ?? "") : null));
      return { values, bad: !match && step.required ? 1 : 0 };
    },
  );
};

export function partsOf(text: string, by: { text?: string; pattern?: string; widths?: number[] }): string[] {
  if (by.text !== undefined) return text.split(by.text);
  if (by.pattern !== undefined) return text.split(new RegExp(by.pattern, "u"));
  const signs = Array.from(text);
  const parts: string[] = [];
  let from = 0;
  for (const width of by.widths ?? []) {
    if (from === 0 || from < signs.length) parts.push(signs.slice(from, from + width).join(""));
    from += width;
  }
  return from < signs.length ? [...parts, signs.slice(from).join("")] : parts;
}

const split: Apply = (step, table) => {
  if (!step.into) {
    const at = place(table, step.column);
    const rows = table.rows.flatMap((row) => {
      const cell = row[at] ?? null;
      const parts = cell === null ? [null] : partsOf(String(cell), step.by);
      return parts.map((part, nth) => [...row.toSpliced(at, 1, part), part === null ? null : BigInt(nth + 1)]);
    });
    return { ...table, columns: [...table.columns, { name: step.position, family: "int", scale: 0 }], rows };
  }
  return inserted(step, table, step.into.map(textColumn), (text) => {
    const parts = partsOf(text, step.by);
    const count = step.into.length;
    const isBad =
      (step.missing === "error" && parts.length < count) || (step.extra === "error" && parts.length > count);
    const cut =
      step.extra === "last" ? [...parts.slice(0, count - 1), parts.slice(count - 1).join(step.by.text)] : parts;
    const values = step.into.map((_: string, nth: number) => (isBad || nth >= parts.length ? null : cut[nth]));
    return { values, bad: isBad ? 1 : 0 };
  });
};

const flatten: Apply = (step, table) => {
  const fields = Object.entries(step.fields as Record<string, { at: string; type: string }>);
  const columns = fields.map(([name, { type }]) => ({ name, ...familyOfType(type) }));
  return inserted(step, table, columns, (text) => {
    const whole = JSON.parse(text);
    const made = fields.map(([, { at, type }]): Made => {
      const member = typeof whole === "object" && whole !== null ? whole[at.slice(1)] : undefined;
      if (member === undefined || member === null) return null;
      return fromText(typeof member === "string" ? member : JSON.stringify(member), type);
    });
    const bad = made.filter((value) => value === undefined).length;
    return { values: made.map((value) => value ?? null), bad };
  });
};

const fill: Apply = (step, table) => {
  const last = new Map<string, Value>();
  const within = (step.within ?? []).map((name: string) => place(table, name));
  const places = step.columns.map((name: string) => place(table, name));
  const rows = step.direction === "down" ? table.rows : table.rows.toReversed();
  const filled = rows.map((row) => {
    const group = keyText(within.map((at: number) => row[at] ?? null));
    return row.map((value, at) => {
      if (!places.includes(at)) return value;
      if (value !== null) last.set(`${at} ${group}`, value);
      return value ?? last.get(`${at} ${group}`) ?? null;
    });
  });
  return { ...table, rows: step.direction === "down" ? filled : filled.toReversed() };
};

/** Steps that transform cells. */
export const CELL_STEPS: Readonly<Record<string, Apply>> = {
  cast,
  parse,
  trim,
  null_if: nullIf,
  replace,
  map,
  derive,
  extract,
  split,
  flatten,
  fill,
};
