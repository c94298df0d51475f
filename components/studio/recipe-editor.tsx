"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { callApi, type Problem } from "@/components/form/call-api";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
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
}

interface Registered {
  revision: { number: number } | null;
  warnings: Placed[];
  unchecked: { pointer: string; why: string }[];
  run?: { run_id: string };
}

type Act = "check" | "register" | "start";

/** The outcome for the text that was sent. */
interface Outcome {
  sent: string;
  problem?: Problem | undefined;
  stored?: Registered | undefined;
}

/** The recipe as text, with each problem linked to its line. */
export function RecipeEditor({ path, fields, page, revision, text }: Props) {
  const router = useRouter();
  const field = useRef<HTMLTextAreaElement>(null);
  const [pending, setPending] = useState<Act>();
  const [outcome, setOutcome] = useState<Outcome>();
  const { isDraft, keep, forget, discard } = useDraft(field, `recipe ${page} ${revision}`, text);
  const act = async (chosen: Act) => {
    if (pending || !field.current) return;
    setPending(chosen);
    setOutcome(undefined);
    const sent = field.current.value;
    const body = { recipe: sent, dry_run: chosen === "check", start: chosen === "start" };
    const { data, problem } = await callApi<Registered>("POST", path, body);
    setPending(undefined);
    if (data?.revision) forget();
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
      {isDraft && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
          This is your draft. It is not registered yet.
          <Button small onClick={discard}>
            Discard draft
          </Button>
        </p>
      )}
      <label className="block">
        <span className="mb-1 block font-medium text-sm">Recipe, as YAML or JSON</span>
        <textarea
          ref={field}
          name="recipe"
          defaultValue={text}
          onInput={keep}
          rows={24}
          spellCheck={false}
          autoCapitalize="none"
          wrap="off"
          className="field h-auto resize-y py-2 font-mono text-[0.8125rem] leading-5"
        />
      </label>
      {outcome && (
        <Told outcome={outcome} page={page} onLine={(line) => field.current && showLine(field.current, line)} />
      )}
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

interface ToldProps {
  outcome: Outcome;
  page: string;
  onLine(line: number): void;
}

function Told({ outcome: { problem, stored, sent }, page, onLine }: ToldProps) {
  if (problem) return <RecipeFaults problem={problem} text={sent} onLine={onLine} />;
  if (!stored) return null;
  const { revision, warnings, unchecked } = stored;
  const later = unchecked.map(({ pointer, why }) => ({ pointer, message: why }));
  return (
    <Notice tone="ok" title={revision ? `Revision ${revision.number} is registered.` : "No problems found."}>
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

/** Selects a line of the text, and scrolls to it. */
function showLine(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4);
}

/** Keeps text that was typed but not registered while other pages are visited, only in this tab. */
function useDraft(field: RefObject<HTMLTextAreaElement | null>, key: string, text: string) {
  const [isDraft, setDraft] = useState(false);
  useEffect(() => {
    const kept = stored(() => sessionStorage.getItem(key));
    if (!field.current || typeof kept !== "string" || kept === text) return;
    field.current.value = kept;
    setDraft(true);
  }, [field, key, text]);
  const keep = () => stored(() => sessionStorage.setItem(key, field.current?.value ?? ""));
  const forget = () => stored(() => sessionStorage.removeItem(key));
  const discard = () => {
    forget();
    if (field.current) field.current.value = text;
    setDraft(false);
  };
  return { isDraft, keep, forget, discard };
}

/** Nothing is kept if the browser has no storage for pages. */
function stored<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
