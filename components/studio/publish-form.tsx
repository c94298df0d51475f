"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type Answer, callApi, type Problem, problemOf, UNREACHABLE } from "@/components/form/call-api";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ColumnChoice } from "@/lib/describe/published-recipe";
import type { Envelope } from "@/lib/http/envelope";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { FoundColumns } from "./found-columns";
import { InspectionSummary } from "./inspection-findings";
import { RecipeFaults } from "./recipe-faults";

interface Props {
  /** The workspace's build routes. */
  path: string;
  /** The largest file, in words. */
  most: string;
  /** Identifiers of licences, to choose from. */
  licences: readonly string[];
}

/** What was found in a file, and the choices about its columns. */
interface Found {
  reply: InspectionReply;
  columns: readonly ColumnChoice[];
  title: string;
}

/** Publishes a file in two steps: what was understood of it, then its sample; a recipe is written underneath. */
export function PublishForm(props: Props) {
  const [found, setFound] = useState<Found>();
  return found ? (
    <DescribeFile {...props} found={found} onAgain={() => setFound(undefined)} />
  ) : (
    <ChooseFile {...props} onFound={setFound} />
  );
}

function ChooseFile({ path, most, onFound }: Props & { onFound: (found: Found) => void }) {
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const file = new FormData(event.currentTarget).get("file");
    if (busy || !(file instanceof File)) return;
    setProblem(undefined);
    setBusy("Uploading…");
    const name = uploadName(file.name);
    const stored = await upload(`${path}/uploads/${name}?file_name=${encodeURIComponent(file.name)}`, file);
    if (!stored) setBusy("Reading the file…");
    const { data, problem: failed } = stored
      ? { problem: stored }
      : await inspected(path, { kind: "upload", upload: name });
    setBusy("");
    if (!data) return setProblem(failed);
    const { proposedColumns } = await import("@/lib/describe/published-recipe");
    onFound({ reply: data, columns: proposedColumns(data), title: titleOf(file.name) });
  };
  return (
    <form onSubmit={submit} className="needs-script mt-8 max-w-xl space-y-5">
      <label className="block">
        <span className="mb-1 block font-medium text-sm">File</span>
        <input
          type="file"
          name="file"
          required
          className="block w-full rounded-lg border border-line-strong border-dashed bg-surface px-5 py-10 text-sm"
        />
        <span className="mt-1 block text-muted text-xs">
          Drop it here, or choose it: CSV, TSV, JSON, Excel or Parquet, also compressed or in an archive, up to {most}.
        </span>
      </label>
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <p role="status" className="text-muted text-sm">
        {busy}
      </p>
      <Button type="submit" look="primary" pending={busy !== ""}>
        Read the file
      </Button>
    </form>
  );
}

/** The file's own name with the characters that a name of an upload may have. */
const uploadName = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(-100) || "file";

/** `River levels 2026`, from `river_levels-2026.csv.gz`. */
function titleOf(name: string): string {
  const words = (name.split(".")[0] ?? "").replaceAll(/[_-]+/g, " ").trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.slice(0, 200);
}

/** Sends a file; undefined if it was stored. */
async function upload(path: string, file: File): Promise<Problem | undefined> {
  try {
    const reply = await fetch(path, { method: "PUT", body: file });
    return reply.ok ? undefined : problemOf((await reply.json()) as Envelope, reply.headers);
  } catch {
    return UNREACHABLE;
  }
}

type Inspected = { data: InspectionReply; problem?: undefined } | { data?: undefined; problem: Problem };

/** Inspects a source, and waits until that has ended. */
async function inspected(path: string, source: object): Promise<Inspected> {
  let reply = await callApi<InspectionReply>("POST", `${path}/inspections`, { source, depth: "full" });
  while (reply.data?.state === "queued" || reply.data?.state === "running")
    reply = await callApi<InspectionReply>("GET", `${path}/inspections/${reply.data.inspection_id}?wait_ms=8000`);
  const failure = reply.data?.failure;
  if (!failure) return reply;
  return { problem: { code: failure.code, message: `${failure.message} ${failure.fix}`, fields: {} } };
}

interface DescribeProps extends Props {
  found: Found;
  onAgain: () => void;
}

interface Registered {
  run?: { run_id: string };
}

function DescribeFile({ path, licences, found: { reply, columns: proposed, title }, onAgain }: DescribeProps) {
  const router = useRouter();
  const [columns, setColumns] = useState(proposed);
  const [slug, setSlug] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ problem: Problem; text: string }>();
  const publish = async (form: FormData) => {
    const field = (name: string) => String(form.get(name) ?? "").trim();
    const { publishedRecipe } = await import("@/lib/describe/published-recipe");
    const words = { title: field("title"), summary: field("summary") };
    const text = publishedRecipe(reply, {
      ...words,
      ...{ license: field("license"), publisher: field("publisher"), columns },
    });
    const made = await madeDataset(path, slug, words);
    if (made.problem) return setOutcome({ problem: made.problem, text: "" });
    const dataset = made.data;
    setSlug(dataset);
    const body = { recipe: text, start: true };
    const { data, problem } = await callApi<Registered>("POST", `${path}/datasets/${dataset}/recipe`, body);
    if (problem) return setOutcome({ problem, text });
    const run = data.run?.run_id;
    if (run) await callApi("POST", `${path}/runs/${run}/confirm`, { wait_ms: 0 }); // its page offers it otherwise
    router.push(run ? `/studio/${dataset}/runs/${run}` : `/studio/${dataset}`);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setOutcome(undefined);
    void publish(new FormData(event.currentTarget)).finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} className="mt-8 space-y-8">
      <section aria-labelledby="understood" className="space-y-5">
        <h2 id="understood" className="text-xl">
          What was understood
        </h2>
        <InspectionSummary found={reply} />
        <FoundColumns found={reply} columns={columns} onColumns={setColumns} />
      </section>
      <section aria-labelledby="about" className="max-w-xl space-y-5">
        <h2 id="about" className="text-xl">
          About it
        </h2>
        <Written name="title" label="Title" defaultValue={title} maxLength={200} required />
        <Written name="summary" label="Summary" maxLength={500} hint="One or two sentences, shown in search results." />
        <Written
          name="license"
          label="Licence"
          maxLength={200}
          required
          options={licences}
          defaultValue={reply.licence_hints?.[0]}
          hint="An SPDX identifier, such as CC-BY-4.0, or the licence’s own words. You must be allowed to publish it."
        />
        <Written name="publisher" label="Publisher" maxLength={200} required hint="Who stands behind the data." />
      </section>
      {outcome && <RecipeFaults problem={outcome.problem} text={outcome.text} />}
      <p className="max-w-prose text-muted text-sm">
        Next you see a sample of the rows. The dataset is private until an owner makes it public. Its recipe, written
        from this form, can be edited later.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" pending={isBusy}>
          Make a sample
        </Button>
        <Button onClick={onAgain}>Choose another file</Button>
      </div>
    </form>
  );
}

/** The slug of a new dataset; after a rejected recipe, of the one made for it, with its texts as they are now. */
async function madeDataset(path: string, slug: string | undefined, words: object): Promise<Answer<string>> {
  if (slug !== undefined) {
    const { problem } = await callApi("PATCH", `${path}/datasets/${slug}`, words);
    return problem ? { problem } : { data: slug };
  }
  const { data, problem } = await callApi<{ dataset: { slug: string } }>("POST", `${path}/datasets`, words);
  return problem ? { problem } : { data: data.dataset.slug };
}

interface WrittenProps {
  name: string;
  label: string;
  hint?: ReactNode;
  maxLength: number;
  defaultValue?: string | undefined;
  required?: boolean;
  options?: readonly string[];
}

function Written({ label, hint, options, ...input }: WrittenProps) {
  const id = useId();
  return (
    <label className="block">
      <span className="mb-1 block font-medium text-sm">{label}</span>
      <input type="text" {...input} list={options && id} autoComplete="off" className="field" />
      {options && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {hint && <span className="mt-1 block text-muted text-xs">{hint}</span>}
    </label>
  );
}
