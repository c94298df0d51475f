import { expect, test } from "vitest";
import { type View, WHOLE_TABLE } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import {
  type AnswerState,
  answerKey,
  isAnswerTo,
  phaseOf,
  receivedAnswer,
  sentAnswer,
  withinLimit,
  withPage,
  withQuestion,
  withRejection,
} from "./answer-state";
import { OFFLINE, plainProblem, problemOf } from "./problem";

const COLUMNS = [{ name: "origin", type: "string" }];
const FACTS = {
  queryId: "qry_1",
  versionId: "v1",
  digest: "sha256:0",
  publishedAt: "2025-01-01T00:00:00Z",
  rows: 1,
  scannedBytes: 1,
  elapsedMs: 1,
  truncated: true,
};
const page = (...rows: string[]) => ({ facts: FACTS, columns: COLUMNS, rows, nextCursor: "next" });

const all = answerKey(WHOLE_TABLE, COLUMNS);
const ordView: View = { ...WHOLE_TABLE, filters: [{ column: "origin", operator: "eq", value: "ORD" }] };
const ord = answerKey(ordView, COLUMNS);
const answered: AnswerState = withPage({ key: all, phase: "asking" }, page('{"origin":"LAS"}'), WHOLE_TABLE);

const rejection = (error: "result_too_large" | "rate_limited" | "busy" | "query_timeout") =>
  problemOf({ schema_version: "service-error.v1", error, message: "No.", request_id: "req_1" }, "3", { keyed: false });

test.each([
  ["413", rejection("result_too_large")],
  ["429", rejection("rate_limited")],
  ["503", rejection("busy")],
  ["503 of a proxy", plainProblem(503, "3")],
  ["504", rejection("query_timeout")],
  ["no network", OFFLINE],
])("after a rejection (%s) of a new view no old answer is shown under its title", (_, problem) => {
  const asking = withQuestion(answered, ord);
  expect([asking.answered?.view, isAnswerTo(asking, ord), phaseOf(asking, ord)]).toEqual([
    WHOLE_TABLE,
    false,
    "asking",
  ]);
  const rejected = withRejection(asking, problem);
  expect(rejected).toEqual({ key: ord, phase: "failed", problem });
  expect(withQuestion(rejected, ord)).toEqual({ key: ord, phase: "asking", answered: undefined });
});

test("rows of the previous view are never the answer to a new one", () => {
  expect([isAnswerTo(answered, ord), phaseOf(answered, ord)]).toEqual([false, "asking"]);
  expect([isAnswerTo(answered, all), phaseOf(answered, all)]).toEqual([true, "done"]);
});

test("a rejected further page keeps the earlier rows of the same view", () => {
  const continuing: AnswerState = { ...answered, phase: "continuing" };
  expect(withRejection(continuing, OFFLINE)).toEqual({ ...answered, phase: "failed", problem: OFFLINE });
  const second = withPage(continuing, page('{"origin":"ORD"}'), WHOLE_TABLE);
  expect(second.answered).toMatchObject({
    rows: ['{"origin":"LAS"}', '{"origin":"ORD"}'],
    firstRows: 1,
    view: WHOLE_TABLE,
  });
});

test("a limit on groups is capped at the visitor's maximum; rows are read page by page", () => {
  const groups: View = { ...WHOLE_TABLE, group_by: ["origin"], limit: 1000 };
  expect(withinLimit(groups, 100)).toEqual({ ...groups, limit: 100 });
  expect(withinLimit(groups, 10_000)).toBe(groups);
  const rows: View = { ...WHOLE_TABLE, limit: 1000 };
  expect(withinLimit(rows, 100)).toBe(rows);
});

test("a page sends an answer as plain objects, and the browser has the same view again, with every digit", () => {
  const columns = [{ name: "id", type: "int64" }];
  const { view } = readView({ filter: "id:eq:9007199254740993", limit: "5" }, columns);
  const state = withPage({ key: answerKey(view, columns), phase: "asking" }, page('{"id":9007199254740993}'), view);
  const sent = sentAnswer(state);
  expect(structuredClone(sent)).toEqual(sent);
  expect(receivedAnswer(sent, columns)).toEqual(state);
  expect(sentAnswer(withRejection(state, OFFLINE))).toEqual({ key: state.key, phase: "failed", problem: OFFLINE });
});
