"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { type DirectoryState, directoryParams } from "@/components/dataset/directory-url";
import { Badge } from "@/components/ui/badge";
import { formatPlural } from "@/lib/kernel/format";
import type { Catalogue } from "@/lib/schemas/dataset";

interface Found {
  workspace: { id: string; name: string };
  catalogue: Catalogue;
}

/** How many of each workspace are listed. */
const SHOWN = 5;

/**
 * What the search finds among the private datasets of a signed-in person's workspaces. The page itself is the same for
 * everyone, so the browser requests these; nothing is shown where there are none.
 */
export function PrivateDatasets({ state }: { state: DirectoryState }) {
  const search = searchOf(state);
  const [{ of, found }, setFound] = useState<{ of: string; found: readonly Found[] }>({ of: search, found: [] });
  useEffect(() => {
    if (!("signedIn" in document.documentElement.dataset)) return;
    const abort = new AbortController();
    findPrivate(search, abort.signal).then(
      (all) => setFound({ of: search, found: all }),
      () => undefined, // aborted, or the service is unavailable, which the results say
    );
    return () => abort.abort();
  }, [search]);
  if (of !== search || found.length === 0) return null;
  return (
    <section aria-label="Private datasets" className="mb-6 rounded-md border border-line bg-surface px-4 pt-3 pb-4">
      {found.map(({ workspace, catalogue: { total, datasets } }) => (
        <div key={workspace.id} className="not-first:mt-4">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-sm tracking-normal">
            {formatPlural(total, "private dataset")} <Badge tone="notice">Private to {workspace.name}</Badge>
          </h2>
          <ul className="mt-2 space-y-2">
            {datasets.map(({ slug, title, summary }) => (
              <li key={slug} className="min-w-0">
                <Link className="link" href={`/datasets/${slug}`} prefetch={false}>
                  {title}
                </Link>
                {summary !== "" && <span className="block truncate text-muted text-sm">{summary}</span>}
              </li>
            ))}
          </ul>
          {total > datasets.length && (
            <p className="mt-2 text-sm">
              <Link className="link" href={`/studio?workspace=${workspace.id}`} prefetch={false}>
                All datasets of {workspace.name}
              </Link>
            </p>
          )}
        </div>
      ))}
    </section>
  );
}

/** The same on each page of results. */
function searchOf(state: DirectoryState): string {
  const params = new URLSearchParams(directoryParams({ ...state, cursor: undefined }));
  params.set("limit", String(SHOWN));
  return String(params);
}

async function findPrivate(search: string, signal: AbortSignal): Promise<Found[]> {
  const { workspaces } = await read<{ workspaces: readonly Found["workspace"][] }>("/api/account", signal);
  const all = await Promise.all(
    workspaces.map(async (workspace) => {
      const path = `/api/account/workspaces/${workspace.id}/private-datasets?${search}`;
      return { workspace, catalogue: await read<Catalogue>(path, signal) };
    }),
  );
  return all.filter(({ catalogue }) => catalogue.total > 0);
}

async function read<T>(path: string, signal: AbortSignal): Promise<T> {
  const reply = await fetch(path, { signal });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return (await reply.json()) as T;
}
