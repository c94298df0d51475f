import { fail } from "@/lib/kernel/errors";
import type { StoredColumn } from "@/lib/schemas/column";
import type { ColumnNote, PublishRequest } from "@/lib/schemas/publish";
import { findStored, type StoredPublication } from "@/lib/store/datasets/stored-publication";

/** A sealed file's metadata, with the stored values of the fields that were not given. */
export interface CompleteRequest {
  dataset: { slug: string; title: string; license: string; publisher: { name: string } };
  table: { slug: string; license: string | null };
  orderBy: readonly string[];
  primaryKey: readonly string[];
  /** The columns of the current version; empty for the first one. */
  currentColumns: readonly StoredColumn[];
}

const REQUIRED = { title: "--title", publisher: "--publisher", license: "--license" } as const;

/**
 * Completes a request with what is stored. Fails for a first publication without the required fields, with one
 * `invalid_request` that lists all of them.
 */
export async function completeRequest(request: PublishRequest): Promise<CompleteRequest> {
  const { slug } = request.dataset;
  const stored = await findStored(slug, request.table.slug);
  const { title, publisher, license } = textsOf(request, stored);
  if (title === undefined || publisher === undefined || license === undefined)
    throw rejectIncomplete(slug, { title, publisher, license });
  return {
    dataset: { slug, title, license, publisher: { name: publisher } },
    table: { slug: request.table.slug, license: request.table.license ?? stored?.table?.license ?? null },
    orderBy: request.orderBy ?? stored?.version?.orderBy ?? [],
    primaryKey: request.primaryKey ?? stored?.version?.primaryKey ?? [],
    currentColumns: stored?.version?.columns ?? [],
  };
}

const textsOf = ({ dataset }: PublishRequest, stored: StoredPublication | undefined) => ({
  title: dataset.title ?? stored?.title,
  publisher: dataset.publisher?.name ?? stored?.publisher,
  license: dataset.license ?? stored?.license,
});

function rejectIncomplete(slug: string, texts: Record<keyof typeof REQUIRED, string | undefined>) {
  const missing = (Object.keys(REQUIRED) as (keyof typeof REQUIRED)[]).filter((name) => texts[name] === undefined);
  const faults = missing.map((name) => ({
    pointer: `/dataset/${name}`,
    code: "invalid_request" as const,
    message: `Missing ${name}: give ${REQUIRED[name]}.`,
  }));
  const message = `The dataset ${slug} is new. Its first publication requires ${missing.join(", ")}.`;
  return fail("invalid_request", { message, faults });
}

/** The notes of every column: those given, otherwise the current version's. An empty string removes a note. */
export function completeNotes(
  names: readonly string[],
  supplied: readonly ColumnNote[],
  current: readonly StoredColumn[],
): ColumnNote[] {
  return names.map((name) => {
    const note = supplied.find((each) => each.name === name);
    const before = current.find((each) => each.name === name);
    const description = (note?.description ?? before?.description) || undefined;
    const unit = (note?.unit ?? before?.unit) || undefined;
    return { name, ...(note?.type !== undefined && { type: note.type }), description, unit };
  });
}
