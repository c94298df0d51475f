"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import type { LineMark } from "@/components/editor/code-editor";
import { useCodeEditor } from "@/components/editor/use-code-editor";
import { callApi, type Problem } from "@/components/form/call-api";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { faultLines } from "@/lib/describe/fault-lines";
import { StepRows } from "./editor/step-rows";
import { type Placed, PlacedList, RecipeFaults } from "./recipe-faults";

interface Props {
  /** The dataset's recipe route in the API. */
  path: string;
  /** What is sent without JavaScript, made by `studioFields`. */
  fields: Readonly<Record<string, string>>;
  /** The dataset's page in the studio. */
  page: string;
  /** The revision that is open; 0 for none. */
  revision: number;
  text: string;
  /** Where the recipe's JSON Schema is. */
  schemaPath: string;
  /** Names of columns that were found in its sources. */
  columns: readonly string[];
}

interface Registered {
  revision: { number: number } | null;
  warnings: Placed[];
  unchecked: { pointer: string; why: string }[];
  run?: { run_id: string };
}

type Act = "check" | "register" | "start";

function useRecipeLanguage(schemaPath: string, columns: readonly string[]) {
  const names = columns.join("\n");
  return useCallback(async () => {
    const { recipeLanguage } = await import("./editor/recipe-language");
    return recipeLanguage(schemaPath, names === "" ? [] : names.split("\n"));
  }, [schemaPath, names]);
}

/** The outcome for the text that was sent. */
interface Outcome {
  sent: string;
  /** Whether nobody asked for it. */
  isAuto?: boolean;
  problem?: Problem | undefined;
  stored?: Registered | undefined;
}

/** The recipe as text, with each problem at its line. */
export function RecipeEditor({ path, fields, page, revision, text, schemaPath, columns }: Props) {
  const router = useRouter();
  const field = useRef<HTMLTextAreaElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const ids = useEditorIds();
  const [pending, setPending] = useState<Act>();
  const [outcome, setOutcome] = useState<Outcome>();
  const check = useAutoCheck(path, (sent, answer) => setOutcome({ sent, ...answer, isAuto: true }));
  const draft = useDraft(`recipe ${page} ${revision}`, text);
  const editor = useCodeEditor({
    ...{ field, host, language: useRecipeLanguage(schemaPath, columns) },
    ...{ labelledBy: ids.label, describedBy: ids.hint },
    onText: (now) => {
      draft.keep(now);
      check.later(now);
    },
  });
  useDraftText(field, draft, editor);
  const marks = useMarks(outcome);
  const { setMarks } = editor;
  useEffect(() => setMarks(marks), [setMarks, marks]);
  const act = async (chosen: Act) => {
    if (pending || !field.current) return;
    check.stop();
    setPending(chosen);
    setOutcome(undefined);
    const sent = field.current.value;
    const body = { recipe: sent, dry_run: chosen === "check", start: chosen === "start" };
    const { data, problem } = await callApi<Registered>("POST", path, body);
    setPending(undefined);
    if (data?.revision) draft.forget();
    if (data?.run) return router.push(`${page}/runs/${data.run.run_id}`);
    setOutcome({ sent, problem, stored: data });
    if (data?.revision) router.refresh();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act("start");
  };
  return (
    <form method="post" action="/studio/new/answer" onSubmit={submit} className="space-y-4">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {draft.isDraft && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
          This is your draft. It is not registered yet.
          <Button
            small
            onClick={() => {
              draft.discard();
              editor.setText(text);
            }}
          >
            Discard draft
          </Button>
        </p>
      )}
      <div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the editor itself is in the order of the Tab key */}
        <label
          id={ids.label}
          htmlFor={editor.isReady ? undefined : ids.field}
          onClick={editor.focus}
          className="mb-1 block font-medium text-sm"
        >
          Recipe, as YAML or JSON
        </label>
        <textarea
          ref={field}
          id={ids.field}
          name="recipe"
          defaultValue={text}
          onInput={({ currentTarget }) => draft.keep(currentTarget.value)}
          rows={24}
          spellCheck={false}
          autoCapitalize="none"
          wrap="off"
          hidden={editor.isReady}
          className="field h-auto resize-y py-2 font-mono text-[0.8125rem] leading-5"
        />
        <div ref={host} />
        <p id={ids.hint} hidden={!editor.isReady} className="mt-1.5 text-muted text-xs">
          Tab indents; to leave the editor with it, press Escape first. Ctrl+Space lists what may be written here,
          Ctrl+F searches, F8 goes to the next problem.
        </p>
        <LineMessage marks={marks} line={editor.cursor.line} />
      </div>
      {editor.isReady && <StepRows path={path.replace(/recipe$/, "step-rows")} cursor={editor.cursor} />}
      {outcome && <Told outcome={outcome} page={page} onLine={editor.showLine} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" pending={pending === "start"}>
          Register and plan a run
        </Button>
        <Button pending={pending === "register"} onClick={() => void act("register")}>
          Register
        </Button>
        <Button pending={pending === "check"} onClick={() => void act("check")}>
          Check only
        </Button>
      </div>
    </form>
  );
}

function useEditorIds() {
  const id = useId();
  return { label: `${id}label`, field: `${id}field`, hint: `${id}hint` };
}

/** What is wrong in the line of the cursor, for those who cannot point at its mark. */
function LineMessage({ marks, line }: { marks: readonly LineMark[]; line: number }) {
  const here = marks.filter((mark) => mark.line === line);
  return (
    <p role="status" className="wrap-anywhere text-danger text-sm empty:hidden">
      {here.length > 0 && `Line ${line}: ${here.map(({ message }) => message).join(" ")}`}
    </p>
  );
}

const NO_MARKS: readonly LineMark[] = [];

/** The problems and warnings of an outcome, at the lines of the text that was sent. */
function useMarks(outcome: Outcome | undefined): readonly LineMark[] {
  const { problem, stored, sent = "" } = outcome ?? {};
  const [marks, setMarks] = useState(NO_MARKS);
  useEffect(() => {
    const whole = problem?.code === "invalid_json" ? [{ pointer: "", message: problem.message }] : [];
    const faults = problem?.faults?.length ? problem.faults : whole;
    const warnings = stored?.warnings ?? [];
    if (faults.length + warnings.length === 0) return setMarks(NO_MARKS);
    let isOver = false;
    faultLines(
      sent,
      [...faults, ...warnings].map(({ pointer }) => pointer),
    ).then(
      (lines) => {
        const markOf = (tone: LineMark["tone"]) => (place: Placed) => ({
          line: lines.get(place.pointer) ?? 1,
          message: place.message,
          tone,
        });
        if (!isOver) setMarks([...faults.map(markOf("error")), ...warnings.map(markOf("warning"))]);
      },
      () => undefined, // the list below the editor says the same
    );
    return () => {
      isOver = true;
    };
  }, [problem, stored, sent]);
  return marks;
}

type Answer = Pick<Outcome, "problem" | "stored">;

/** How long nothing has been typed before the text is checked. */
const PAUSE_MS = 1200;

/**
 * Checks the text by itself once typing has paused: one request at a time, so at most 50 a minute, of the 120 that a
 * person has. After a rejection for another reason than the recipe, the next change tries again.
 */
function useAutoCheck(path: string, onAnswer: (sent: string, answer: Answer) => void) {
  const timer = useRef<number>(undefined);
  const wanted = useRef<string>(undefined);
  const isBusy = useRef(false);
  const latest = useRef(onAnswer);
  latest.current = onAnswer;
  const run = useCallback(async () => {
    const sent = wanted.current;
    if (sent === undefined || isBusy.current) return;
    isBusy.current = true;
    const { data, problem } = await callApi<Registered>("POST", path, { recipe: sent, dry_run: true });
    isBusy.current = false;
    if (wanted.current === sent) {
      wanted.current = undefined;
      latest.current(sent, { problem, stored: data });
    } else if (wanted.current !== undefined) timer.current = window.setTimeout(run, PAUSE_MS);
  }, [path]);
  const stop = useCallback(() => {
    window.clearTimeout(timer.current);
    wanted.current = undefined;
  }, []);
  const later = useCallback(
    (text: string) => {
      window.clearTimeout(timer.current);
      wanted.current = text;
      timer.current = window.setTimeout(run, PAUSE_MS);
    },
    [run],
  );
  useEffect(() => stop, [stop]);
  return { later, stop };
}

interface ToldProps {
  outcome: Outcome;
  page: string;
  onLine(line: number): void;
}

function Told({ outcome: { problem, stored, sent, isAuto = false }, page, onLine }: ToldProps) {
  if (problem) return <RecipeFaults problem={problem} text={sent} onLine={onLine} isQuiet={isAuto} />;
  if (!stored) return null;
  const { revision, warnings, unchecked } = stored;
  const later = unchecked.map(({ pointer, why }) => ({ pointer, message: why }));
  return (
    <Notice
      tone="ok"
      isQuiet={isAuto}
      title={revision ? `Revision ${revision.number} is registered.` : "No problems found."}
    >
      <p>
        {revision ? (
          <>
            Start its run on{" "}
            <a href={page} className="link">
              the dataset’s page
            </a>
            .
          </>
        ) : (
          "Nothing is registered yet. A run first makes a sample, which you review before anything is published."
        )}
      </p>
      <PlacedList places={warnings} text={sent} onLine={onLine} />
      {later.length > 0 && (
        <>
          <p className="mt-2">Some things can only be checked with a sample:</p>
          <PlacedList places={later} text={sent} onLine={onLine} />
        </>
      )}
    </Notice>
  );
}

type Draft = ReturnType<typeof useDraft>;

/** Keeps text that was typed but not registered while other pages are visited, only in this tab. */
function useDraft(key: string, text: string) {
  const [kept, setKept] = useState<string>();
  useEffect(() => {
    const found = stored(() => sessionStorage.getItem(key));
    if (typeof found === "string" && found !== text) setKept(found);
  }, [key, text]);
  const forget = useCallback(() => stored(() => sessionStorage.removeItem(key)), [key]);
  return {
    isDraft: kept !== undefined,
    /** The text that was kept when the page was opened. */
    kept,
    keep: useCallback((now: string) => stored(() => sessionStorage.setItem(key, now)), [key]),
    forget,
    discard: useCallback(() => {
      forget();
      setKept(undefined);
    }, [forget]),
  };
}

/** Shows the draft that was kept. */
function useDraftText(
  field: RefObject<HTMLTextAreaElement | null>,
  { kept }: Draft,
  { setText }: Pick<ReturnType<typeof useCodeEditor>, "setText">,
) {
  useEffect(() => {
    if (kept !== undefined && field.current?.value !== kept) setText(kept);
  }, [field, kept, setText]);
}

/** Nothing is kept if the browser has no storage for pages. */
function stored<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
