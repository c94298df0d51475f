import { z } from "zod";
import type { Value } from "@/lib/engine/duckdb/duckdb";
import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { answersOf, type Note, type NoteCandidate, type Probe, type SpanProbe } from "@/lib/engine/plan/noted";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import { type NearSought, notesSql } from "@/lib/engine/sql/notes-sql";
import { type Footer, firstInstantIn } from "@/lib/engine/sql/scanned-bytes";
import { editDistance } from "@/lib/kernel/edit-distance";
import { formatList } from "@/lib/kernel/format";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";

const NOTES_MAX = 5;
/** Values of columns with more distinct ones are not compared. */
const DISTINCT_MAX = 50_000;
const VALUES_MAX = 3;
/** Of longer strings, only those that are equal but for case and accents are near. */
const EDITED_CHARACTERS_MAX = 64;
const LETTERS_PER_EDIT = 4;
const VALUE_CHARACTERS_MAX = 200;

/** The notes of a query, read by one statement. */
export async function readNotes(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
  candidates: readonly NoteCandidate[],
  footer: Footer,
): Promise<Note[]> {
  const probes = candidates.flatMap((candidate) => candidate.probes).map((probe) => withFirst(probe, plan, footer));
  const sought = await nearSought(candidates, version);
  const row = probes.length > 0 ? await readAnswers(engine, session, version, plan, probes, [...sought.values()]) : [];
  const answers = row.slice(0, row.length - sought.size).map((each) => (each === null ? Number.NaN : Number(each)));
  const near = row.slice(row.length - sought.size);
  const notes = candidates.flatMap((candidate): Note[] => {
    const { code, probes: own, decide } = candidate;
    const note = decide(own.flatMap((probe) => answers.splice(0, answersOf(probe))));
    const found = sought.has(candidate) ? nearest(String(near.shift() ?? "[]"), candidate.sought?.texts ?? []) : [];
    return note ? [code === "value_not_found" ? suggesting({ code, ...note }, found) : { code, ...note }] : [];
  });
  return notes.slice(0, NOTES_MAX);
}

async function readAnswers(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
  probes: readonly Probe[],
  sought: readonly NearSought[],
): Promise<Value[]> {
  const columns = plannedColumns(plan, version.columns);
  const [row = []] = await readPlanned(engine, version, plan, (source) =>
    session.all(notesSql(probes, sought, plan, columns, source)),
  );
  return row;
}

/** What is sought for each of the candidates that may name near values. */
async function nearSought(
  candidates: readonly NoteCandidate[],
  version: SealedVersion,
): Promise<Map<NoteCandidate, NearSought>> {
  const distinct = candidates.some(({ sought }) => sought) ? await version.distinctCounts?.() : undefined;
  const found = new Map<NoteCandidate, NearSought>();
  let first = 0;
  for (const candidate of candidates) {
    const { sought, probes } = candidate;
    const count = sought && distinct?.[version.columns[sought.column]?.name ?? ""];
    if (found.size < NOTES_MAX && sought && count !== undefined && count <= DISTINCT_MAX)
      found.set(candidate, { ...sought, edits: sought.texts.map(editsOfBytes), firstProbe: first });
    first += probes.length;
  }
  return found;
}
/** A probe of spans in UTC with the first instant of its column, if the footer says it. */
function withFirst(probe: Probe, plan: Plan, footer: Footer): Probe {
  const group = "steps" in probe && plan.kind === "groups" ? plan.groups[probe.group] : undefined;
  if (!group || group.zone !== undefined) return probe;
  return { ...probe, first: firstInstantIn(footer, group.column) } as SpanProbe;
}

function suggesting(note: Note, near: readonly string[]): Note {
  if (near.length === 0) return { ...note, message: `${note.message} Group by it to see its values.` };
  const listed = formatList(
    near.map((value) => `“${value}”`),
    "or",
  );
  return { ...note, message: `${note.message} Did you mean ${listed}?`, values: near };
}

/** Of values near by bytes, those near by letters: for one text after the other, equal but for case first, then by edits. */
function nearest(list: string, texts: readonly string[]): string[] {
  const pairs = z.array(z.tuple([z.number(), z.string()])).parse(JSON.parse(list));
  const near = texts.flatMap((text, at) => {
    const lower = text.toLowerCase();
    const edits = editsFor(text);
    return pairs
      .filter(([of, value]) => of === at && value.length <= VALUE_CHARACTERS_MAX)
      .map(([, value]) => ({ value, far: value.toLowerCase() === lower ? -1 : distanceOf(value, text, edits + 1) }))
      .filter(({ far }) => far <= edits)
      .sort((a, b) => a.far - b.far)
      .map(({ value }) => value);
  });
  return [...new Set(near)].slice(0, VALUES_MAX);
}

const editsFor = (text: string): number =>
  text.length > EDITED_CHARACTERS_MAX ? 0 : Math.floor([...text].length / LETTERS_PER_EDIT);

/** Letters have several bytes: no near value is further than this. */
const editsOfBytes = (text: string): number =>
  editsFor(text) * Math.ceil(Buffer.byteLength(text) / Math.max(1, [...text].length));

const distanceOf = (a: string, b: string, bound: number): number =>
  a.length > 2 * EDITED_CHARACTERS_MAX && plain(a) !== plain(b) ? bound : editDistance(plain(a), plain(b), bound);

/** Without case and accents. */
const plain = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
