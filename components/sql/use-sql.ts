"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Question, Result, SavedFormat, SqlProblem, SqlTable } from "./messages";

/** Rows that are asked for at once. */
const PAGE_ROWS = 200;

/** A result, and those of its rows that were asked for so far. */
export interface ShownResult extends Result {
  /** The query's text. */
  sql: string;
  rowTexts: readonly string[];
}

export interface SqlState {
  /** What is done at the moment; undefined if nothing is. */
  progress: string | undefined;
  result: ShownResult | undefined;
  problem: SqlProblem | undefined;
  run(tables: readonly SqlTable[], sql: string): void;
  /** Ends what is done, and the database with it. */
  stop(): void;
  /** Asks for further rows of the result. */
  more(): void;
  save(format: SavedFormat, about: Readonly<Record<string, string>>): Promise<Blob | undefined>;
}

/** The database in a worker, which starts with the first query. */
export function useSql(workerUrl: string): SqlState {
  const worker = useRef<Asked>(undefined);
  const [progress, setProgress] = useState<string>();
  const [result, setResult] = useState<ShownResult>();
  const [problem, setProblem] = useState<SqlProblem>();
  const ask = useCallback(
    async (question: Question): Promise<Answer | undefined> => {
      worker.current ??= askedWorker(workerUrl);
      setProblem(undefined);
      const answer = await worker.current.ask(question, setProgress);
      setProgress(undefined);
      if (answer?.kind === "problem") setProblem(answer.problem);
      return answer;
    },
    [workerUrl],
  );
  const stop = useCallback(() => {
    worker.current?.end();
    worker.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);
  const run = async (tables: readonly SqlTable[], sql: string) => {
    setProgress("Starting");
    const answer = await ask({ kind: "run", tables, sql });
    if (answer?.kind !== "result") return;
    const rows = await ask({ kind: "rows", from: 0, count: PAGE_ROWS });
    if (rows?.kind === "rows") setResult({ ...answer.result, sql, rowTexts: rows.rows });
  };
  const isMore = useRef(false);
  const more = useCallback(async () => {
    if (!result || isMore.current || result.rowTexts.length >= result.rows) return;
    isMore.current = true;
    const answer = await ask({ kind: "rows", from: result.rowTexts.length, count: PAGE_ROWS });
    isMore.current = false;
    if (answer?.kind !== "rows") return;
    setResult((now) => (now === result ? { ...now, rowTexts: [...now.rowTexts, ...answer.rows] } : now));
  }, [ask, result]);
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
      setProgress(`Writing ${format.toUpperCase()}`);
      const answer = await ask({ kind: "save", format, about });
      return answer?.kind === "file" ? answer.file : undefined;
    },
  };
}

interface Asked {
  /** The answer; undefined if the worker was ended before. */
  ask(question: Question, onProgress: (text: string) => void): Promise<Answer | undefined>;
  end(): void;
}

const NOT_STARTED = "DuckDB could not be started in this browser. A newer one may be needed.";

function askedWorker(url: string): Asked {
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
    for (const [id, { settle }] of waiting) settle({ id, kind: "problem", problem: { message: NOT_STARTED } });
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
