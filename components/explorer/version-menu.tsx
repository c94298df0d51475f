"use client";

import { History } from "lucide-react";
import { Menu } from "@/components/ui/menu";
import { formatDay } from "@/lib/kernel/format";
import type { View } from "@/lib/view/view";
import { viewParameters, viewSearch } from "@/lib/view/view-address";

/** A version as the menu names it. */
export interface NamedVersion {
  id: string;
  label: string | null;
  publishedAt: string;
  isCurrent: boolean;
}

interface Props {
  /** The table's versions, newest first. */
  versions: readonly NamedVersion[];
  /** The id of the version that is explored. */
  explored: string;
  view: View;
  path: string;
  /** The page with all versions. */
  versionsUrl: string;
}

const LISTED_MAX = 12;

/** The same view in another version: by its label or number, or as of a day. Works without JavaScript. */
export function VersionMenu({ versions, explored, view, path, versionsUrl }: Props) {
  const own = versions.find(({ id }) => id === explored);
  if (!own || versions.length < 2) return null;
  return (
    <div className="explorer-menu">
      <Menu
        summary={
          <>
            <History size={15} aria-hidden="true" />
            <span className="sr-only">Version </span>
            <span className="max-w-32 truncate max-sm:sr-only">{nameOf(own)}</span>
          </>
        }
      >
        <ul aria-label="Versions" className="max-h-64 overflow-y-auto">
          {versions.slice(0, LISTED_MAX).map((version) => (
            <li key={version.id}>
              <a
                className="menu-item"
                aria-current={version.id === explored ? "true" : undefined}
                href={`${path}${viewSearch({ ...view, version: version.isCurrent ? undefined : version.id })}`}
              >
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="wrap-anywhere font-medium">{nameOf(version)}</span>
                  <span className="text-muted text-xs">
                    {version.label !== null && formatDay(version.publishedAt)}
                    {version.isCurrent && (version.label === null ? "current" : ", current")}
                  </span>
                </span>
              </a>
            </li>
          ))}
        </ul>
        <form action={path} className="mt-2 flex items-end gap-2 border-line border-t px-2.5 pt-2.5 pb-1">
          {[...viewParameters({ ...view, version: undefined })].map(([name, value], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parameters may repeat, and are replaced together
            <input key={at} type="hidden" name={name} value={value} />
          ))}
          <label className="min-w-0 grow text-xs">
            As of
            <input
              type="date"
              name="as_of"
              required
              min={versions.at(-1)?.publishedAt.slice(0, 10)}
              className="field mt-1"
            />
          </label>
          <button type="submit" className="button button-small">
            Show
          </button>
        </form>
        <a className="menu-item text-muted" href={versionsUrl}>
          {versions.length > LISTED_MAX ? `All ${versions.length} versions` : "Compare versions"}
        </a>
      </Menu>
    </div>
  );
}

/** `1.54.0`, or `4 Oct 2025`. */
const nameOf = ({ label, publishedAt }: NamedVersion): string => label ?? formatDay(publishedAt);
