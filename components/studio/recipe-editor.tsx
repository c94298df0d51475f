"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { callApi, type Problem } from "@/components/form/call-api";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

interface Props {
  /** The dataset's recipe route in the API. */
  path: string;
  /** The dataset's page in the studio. */
  page: string;
  text: string;
}

interface Registered {
  revision: { number: number } | null;
  warnings: { pointer: string; message: string }[];
  run?: { run_id: string };
}

type Act = "check" | "register" | "start";

/** The recipe as text, with every fault at its place in the document. */
export function RecipeEditor({ path, page, text }: Props) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState<Act>();
  const [problem, setProblem] = useState<Problem>();
  const [stored, setStored] = useState<Registered>();
  const act = async (chosen: Act) => {
    if (pending || !form.current) return;
    setPending(chosen);
    setProblem(undefined);
    setStored(undefined);
    const recipe = String(new FormData(form.current).get("recipe") ?? "");
    const body = { recipe, dry_run: chosen === "check", start: chosen === "start" };
    const { data, problem: refusal } = await callApi<Registered>("POST", path, body);
    setPending(undefined);
    setProblem(refusal);
    if (data?.run) return router.push(`${page}/runs/${data.run.run_id}`);
    setStored(data);
    if (data?.revision) router.refresh();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act("start");
  };
  return (
    <form ref={form} method="post" onSubmit={submit} className="space-y-4">
      <label className="block">
        <span className="mb-1 block font-medium text-sm">Recipe, as YAML or JSON</span>
        <textarea
          name="recipe"
          defaultValue={text}
          rows={24}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          className="field h-auto resize-y py-2 font-mono text-[0.8125rem] leading-5"
        />
      </label>
      {problem && <Faults problem={problem} />}
      {stored && <Outcome stored={stored} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" className="needs-script" pending={pending === "start"}>
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

function Faults({ problem: { message, fields } }: { problem: Problem }) {
  const faults = Object.entries(fields);
  if (faults.length === 0) return <Notice tone="danger">{message}</Notice>;
  return (
    <Notice tone="danger" title={faults.length === 1 ? "One fault" : `${faults.length} faults`}>
      <PlacedList places={faults.map(([pointer, words]) => ({ pointer: `/${pointer}`, message: words }))} />
    </Notice>
  );
}

function Outcome({ stored: { revision, warnings } }: { stored: Registered }) {
  return (
    <Notice tone="ok" title={revision ? `Revision ${revision.number} is registered.` : "No faults found."}>
      <PlacedList places={warnings} />
    </Notice>
  );
}

const PlacedList = ({ places }: { places: readonly { pointer: string; message: string }[] }) => (
  <ul className="mt-1 space-y-1">
    {places.map(({ pointer, message }) => (
      <li key={`${pointer} ${message}`} className="wrap-anywhere">
        <code className="font-mono text-[0.8125rem]">{pointer}</code> {message}
      </li>
    ))}
  </ul>
);
