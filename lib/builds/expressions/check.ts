import { isLosslessNumber } from "lossless-json";
import { readShape } from "@/lib/builds/document/shape";
import { conditionsSql, filteredColumns, planFilters } from "@/lib/builds/query-parts";
import type { Relation } from "@/lib/builds/relation";
import { findColumn, reject, type Scope } from "@/lib/builds/steps/step";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { checkCall, nullOf } from "./call";
import { DEPTH_MAX, EXPRESSION_SHAPES, type Expression, type ExpressionShape } from "./expression";
import { BOOLEAN, STRING } from "./function-row";
import { literalOf } from "./literal";
import { castTo, combined, type Emit, type Sql, type Typed, unified } from "./typed";

/** Checks an expression against the columns. Undefined if a fault was added to the scope. */
export function checkExpression(
  expression: unknown,
  input: Relation,
  scope: Scope,
  at: string,
  depth = 0,
): Typed | undefined {
  scope.nodes.left -= 1;
  if (scope.nodes.left === -1)
    return reject(scope, at, {
      code: "too_many_values",
      message: "Too many expression nodes in this table (maximum 500).",
    });
  if (scope.nodes.left < 0) return undefined;
  if (depth > DEPTH_MAX)
    return reject(scope, at, {
      code: "invalid_value",
      message: `Expression nested too deeply (maximum ${DEPTH_MAX} levels).`,
    });
  if (typeof expression === "string" || typeof expression === "boolean" || isLosslessNumber(expression))
    return literalOf(expression, undefined, scope, at);
  return checkObject(expression, input, scope, at, depth);
}

function checkObject(raw: unknown, input: Relation, scope: Scope, at: string, depth: number): Typed | undefined {
  const kind = shapeOf(raw);
  if (!kind)
    return reject(scope, at, {
      code: "invalid_request",
      message: "Expected an expression: a plain value or an object with one of these keys.",
      allowed: Object.keys(EXPRESSION_SHAPES),
    });
  const read = readShape(EXPRESSION_SHAPES[kind] as never, raw, scope.pointer + at) as {
    value: Exclude<Expression, string | boolean> | undefined;
    faults: [];
  };
  scope.faults.push(...read.faults);
  const node = read.value;
  if (!node || isLosslessNumber(node)) return undefined;
  const inside = (part: unknown, key: string) => checkExpression(part, input, scope, `${at}/${key}`, depth + 1);
  if ("col" in node) return columnOf(node.col, input, scope, `${at}/col`);
  if ("value" in node)
    return node.value === null
      ? nullOf(node.type === undefined ? undefined : parseColumnType(node.type))
      : literalOf(node.value, node.type, scope, at);
  if ("filters" in node) return filtersOf(node.filters, input, scope, `${at}/filters`);
  if ("case" in node) return caseOf(node, inside, scope, at);
  if ("not" in node) return checkCall("not", [inside(node.not, "not")], [node.not], scope, at);
  if ("fn" in node) {
    const args = node.args ?? [];
    return checkCall(
      node.fn,
      args.map((arg, index) => (isNullText(arg) ? nullOf(undefined) : inside(arg, `args/${index}`))),
      args,
      scope,
      at,
    );
  }
  return undefined;
}

const isNullText = (arg: unknown): boolean => arg === null;

function shapeOf(raw: unknown): ExpressionShape | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  return (Object.keys(EXPRESSION_SHAPES) as ExpressionShape[]).find((key) => Object.hasOwn(raw, key));
}

function columnOf(name: string, input: Relation, scope: Scope, at: string): Typed | undefined {
  const found = findColumn(scope, input, name, at);
  return (
    found && { type: found.column.type, columns: [found.column], emit: () => ({ sql: `c${found.index}`, level: 0 }) }
  );
}

function filtersOf(
  filters: Parameters<typeof planFilters>[2],
  input: Relation,
  scope: Scope,
  at: string,
): Typed | undefined {
  const conditions = planFilters(scope, input, filters, at);
  return (
    conditions && {
      type: BOOLEAN,
      columns: filteredColumns(input, conditions).map(({ column }) => column),
      emit: () => ({ sql: conditionsSql(conditions), level: 0 }),
    }
  );
}

/** Branches in order. The first condition that is true decides. */
function caseOf(
  node: { case: { when: Expression; then: Expression }[]; else?: Expression | undefined },
  inside: (part: unknown, key: string) => Typed | undefined,
  scope: Scope,
  at: string,
): Typed | undefined {
  const whens = node.case.map(({ when }, index) => inside(when, `case/${index}/when`));
  const thens = node.case.map(({ then }, index) => inside(then, `case/${index}/then`));
  const otherwise = node.else === undefined ? nullOf(undefined) : inside(node.else, "else");
  for (const [index, when] of whens.entries())
    if (when?.type && when.type.family !== "boolean")
      reject(scope, `${at}/case/${index}/when`, {
        code: "function_not_applicable",
        message: `Expected a condition, not ${when.type.name}.`,
      });
  if (!whens.every(isThere) || !thens.every(isThere) || !otherwise) return undefined;
  const branches = [...thens, otherwise];
  const type = branches.every(({ isNull }) => isNull) ? STRING : unified(branches);
  if (type === "none")
    return reject(scope, at, {
      code: "function_not_applicable",
      message: `The branches have different types: ${typeNames(branches)}.`,
    });
  const emit = (to: Emit): Sql => {
    const conditions = whens.map((when) => when.emit(to));
    const values = branches.map((branch) => (type ? castTo(branch.emit(to), branch.type, type) : branch.emit(to)));
    const cases = conditions.map(({ sql }, index) => `WHEN ${sql} THEN ${values[index]?.sql}`);
    return combined([...conditions, ...values], `CASE ${cases.join(" ")} ELSE ${values.at(-1)?.sql} END`);
  };
  return { type, columns: [...whens, ...branches].flatMap(({ columns }) => columns), emit };
}

const isThere = (typed: Typed | undefined): typed is Typed => typed !== undefined;

const typeNames = (parts: readonly Typed[]): string =>
  [...new Set(parts.flatMap(({ type }) => type?.name ?? []))].join(", ");

/** A condition of a step. Its type is unknown only if those of its columns are. */
export function checkCondition(expression: unknown, input: Relation, scope: Scope, at: string): Typed | undefined {
  const typed = checkExpression(expression, input, scope, at);
  if (!typed?.type || typed.type.family === "boolean") return typed;
  return reject(scope, at, {
    code: "function_not_applicable",
    message: `Expected a condition, not ${typed.type.name}.`,
  });
}
