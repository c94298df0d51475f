import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { readSource } from "@/lib/engine/duckdb/source";
import {
  answersOf,
  type Note,
  type NoteCandidate,
  type Probe,
  type Sought,
  type SpanProbe,
} from "@/lib/engine/plan/noted";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import { nearValuesSql, probesSql } from "@/lib/engine/sql/notes-sql";
import { type Footer, firstInstantIn } from "@/lib/engine/sql/scanned-bytes";
import { editDistance } from "@/lib/kernel/edit-distance";
import { formatList } from "@/lib/kernel/format";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";

const NOTES_MAX = 5;
/** Values of columns with more distinct ones are not compared. */
const DISTINCT_MAX = 50_000;
const VALUES_MAX = 3;
/** Maximum number of strings of one filter for which near ones are sought. */
const SOUGHT_MAX = 3;
/** Of longer strings, only those that are equal but for case and accents are near. */
const EDITED_CHARACTERS_MAX = 64;
const LETTERS_PER_EDIT = 4;
/** Those that are nearest by bytes; how many edits of letters they take is counted afterwards. */
const COMPARED_MAX = 50;
const VALUE_CHARACTERS_MAX = 200;

/** The notes of a query: one statement, and one more for each string that no row has. */
export async function readNotes(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
  candidates: readonly NoteCandidate[],
  footer: Footer,
): Promise<Note[]> {
  const probes = candidates.flatMap((candidate) => candidate.probes).map((probe) => withFirst(probe, plan, footer));
  const [row = []] =
    probes.length > 0
      ? await readPlanned(engine, version, plan, (source) =>
          session.all(probesSql(probes, plan, plannedColumns(plan, version.columns), source)),
        )
      : [];
  const answers = row.map((answer) => (answer === null ? Number.NaN : Number(answer)));
  const found = candidates.flatMap(({ code, probes: own, decide }) => {
    const note = decide(own.flatMap((probe) => answers.splice(0, answersOf(probe))));
    return note ? [{ code, ...note }] : [];
  });
  const notes: Note[] = [];
  for (const { sought, ...note } of found.slice(0, NOTES_MAX))
    notes.push(sought ? await withNear(engine, session, version, note, sought) : note);
  return notes;
}

/** A probe of spans in UTC with the first instant of its column, if the footer says it. */
function withFirst(probe: Probe, plan: Plan, footer: Footer): Probe {
  const group = "steps" in probe && plan.kind === "groups" ? plan.groups[probe.group] : undefined;
  if (!group || group.zone !== undefined) return probe;
  return { ...probe, first: firstInstantIn(footer, group.column) } as SpanProbe;
}

async function withNear(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  note: Note,
  { column, texts }: Sought,
): Promise<Note> {
  const name = version.columns[column]?.name ?? "";
  const distinct = texts.length === 0 ? undefined : (await version.distinctCounts?.())?.[name];
  const values = new Set<string>();
  if (distinct !== undefined && distinct <= DISTINCT_MAX)
    for (const text of texts.slice(0, SOUGHT_MAX))
      for (const value of await nearTo(engine, session, version, column, text)) values.add(value);
  if (values.size === 0) return { ...note, message: `${note.message} Group by it to see its values.` };
  const near = [...values].slice(0, VALUES_MAX);
  const listed = formatList(
    near.map((value) => `“${value}”`),
    "or",
  );
  return { ...note, message: `${note.message} Did you mean ${listed}?`, values: near };
}

/** Equal but for case first, then by edits, then in order. */
async function nearTo(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  column: number,
  text: string,
): Promise<string[]> {
  const edits = editsFor(text);
  const widest = edits * Math.ceil(Buffer.byteLength(text) / Math.max(1, [...text].length));
  const rows = await readSource(engine, version, (source) =>
    session.all(nearValuesSql(column, text, widest, COMPARED_MAX, source)),
  );
  const lower = text.toLowerCase();
  return rows
    .map(([value]) => String(value))
    .map((value) => ({ value, far: value.toLowerCase() === lower ? -1 : distanceOf(value, text, edits + 1) }))
    .filter(({ value, far }) => far <= edits && value.length <= VALUE_CHARACTERS_MAX)
    .sort((a, b) => a.far - b.far)
    .map(({ value }) => value);
}

const editsFor = (text: string): number =>
  text.length > EDITED_CHARACTERS_MAX ? 0 : Math.floor([...text].length / LETTERS_PER_EDIT);

const distanceOf = (a: string, b: string, bound: number): number =>
  a.length > 2 * EDITED_CHARACTERS_MAX && plain(a) !== plain(b) ? bound : editDistance(plain(a), plain(b), bound);

/** Without case and accents. */
const plain = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
