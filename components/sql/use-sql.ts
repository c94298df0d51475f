"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Question, Result, SavedFormat, SqlProblem, SqlTable } from "./messages";

/** Rows that are asked for at once. */
const PAGE_ROWS = 200;

/** A result, and those of its rows that were asked for so far. */
export interface ShownResult<Table extends SqlTable> extends Omit<Result, "tables"> {
  /** The id of the question that it answers. */
  of: number;
  /** The query's text. */
  sql: string;
  /** The tables that the page had, and those of them that were read. */
  tables: readonly Table[];
  read: readonly Table[];
  rowTexts: readonly string[];
}

export interface SqlState<Table extends SqlTable> {
  /** What is done at the moment; undefined if nothing is. */
  progress: string | undefined;
  result: ShownResult<Table> | undefined;
  problem: SqlProblem | undefined;
  run(tables: readonly Table[], sql: string): void;
  /** Ends what is done, and the database with it. */
  stop(): void;
  /** Asks for further rows of the result. */
  more(): void;
  save(format: SavedFormat, about: Readonly<Record<string, string>>): Promise<Blob | undefined>;
}

/** The database in a worker, which starts with the first query. */
export function useSql<Table extends SqlTable>(workerUrl: string): SqlState<Table> {
  const worker = useRef<Asked>(undefined);
  const [progress, setProgress] = useState<string>();
  const [result, setResult] = useState<ShownResult<Table>>();
  const [problem, setProblem] = useState<SqlProblem>();
  const stop = useCallback(() => {
    worker.current?.end();
    worker.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);
  const ask = useCallback(
    async (question: Question, onProgress: (text: string) => void): Promise<Answer | undefined> => {
      worker.current ??= askedWorker(workerUrl, () => {
        worker.current = undefined;
      });
      const answer = await worker.current.ask(question, onProgress);
      if (answer?.kind === "problem") setProblem(answer.problem);
      return answer;
    },
    [workerUrl],
  );
  /** For what a person waits for. */
  const wait = async (question: Question, text: string) => {
    setProblem(undefined);
    setProgress(text);
    const answer = await ask(question, setProgress);
    if (answer) setProgress(undefined); // otherwise it was stopped
    return answer;
  };
  const run = async (tables: readonly Table[], sql: string) => {
    const answer = await wait({ kind: "run", tables, sql }, "Starting");
    if (answer?.kind !== "result") return;
    const { id: of, result: found } = answer;
    const read = tables.filter(({ name }) => found.tables.includes(name));
    const rows = await ask({ kind: "rows", of, from: 0, count: PAGE_ROWS }, () => undefined);
    if (rows?.kind === "rows") setResult({ ...found, of, sql, tables, read, rowTexts: rows.rows });
  };
  const isMore = useRef(false);
  const isBusy = progress !== undefined;
  const more = useCallback(async () => {
    if (!result || isBusy || isMore.current || result.rowTexts.length >= result.rows) return;
    isMore.current = true;
    const { of, rowTexts } = result;
    const answer = await ask({ kind: "rows", of, from: rowTexts.length, count: PAGE_ROWS }, () => undefined);
    isMore.current = false;
    if (answer?.kind !== "rows") return;
    setResult((now) => (now === result ? { ...now, rowTexts: [...now.rowTexts, ...answer.rows] } : now));
  }, [ask, result, isBusy]);
  return {
    progress,
    result,
    problem,
    run: (tables, sql) => void run(tables, sql),
    stop: () => {
      stop();
      setProgress(undefined);
      setResult(undefined); // its further rows were in the database
    },
    more: () => void more(),
    save: async (format, about) => {
      if (!result || isBusy) return undefined;
      const answer = await wait({ kind: "save", of: result.of, format, about }, `Writing ${format.toUpperCase()}`);
      return answer?.kind === "file" ? answer.file : undefined;
    },
  };
}

interface Asked {
  /** The answer; undefined if the worker was ended before. */
  ask(question: Question, onProgress: (text: string) => void): Promise<Answer | undefined>;
  end(): void;
}

const ENDED =
  "DuckDB has ended in this browser. Reload the page, in case the service was updated, and run the query again. If " +
  "it ends again, the query may need more memory than a page has, or the browser may be too old.";

function askedWorker(url: string, onEnd: () => void): Asked {
  const worker = new Worker(url, { type: "module" });
  const waiting = new Map<number, { settle: (answer?: Answer) => void; onProgress: (text: string) => void }>();
  let asked = 0;
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id);
    if (data.kind === "progress") return one?.onProgress(data.text);
    waiting.delete(data.id);
    one?.settle(data);
  };
  worker.onerror = () => {
    onEnd();
    worker.terminate();
    for (const [id, { settle }] of waiting) settle({ id, kind: "problem", problem: { message: ENDED } });
    waiting.clear();
  };
  return {
    ask: (question, onProgress) =>
      new Promise((settle) => {
        asked += 1;
        waiting.set(asked, { settle, onProgress });
        worker.postMessage({ ...question, id: asked });
      }),
    end() {
      worker.terminate();
      for (const { settle } of waiting.values()) settle();
      waiting.clear();
    },
  };
}
