"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Menu } from "@/components/ui/menu";
import { formatPlural } from "@/lib/kernel/format";
import { askFile, type Route } from "./ask";
import { DownloadAll, type RowFiles } from "./download-all";
import { partText } from "./extent-text";
import type { Problem } from "./problem";

/** An output format, as the server knows it. */
export interface DownloadFormat {
  label: string;
  media: string;
  extension: string;
  /** What the view's result must have. */
  needs?: "coordinates";
}

interface Props {
  formats: readonly DownloadFormat[];
  route: Route;
  /** The query's body, its limit set to the maximum of one reply. */
  body: string;
  /** The file's name, without its extension. */
  name: string;
  rowsMax: number;
  /** Rows of the view before the first that is shown. */
  before: number;
  /** Rows or groups of the view; undefined while they have not been counted. */
  total: number | undefined;
  isGrouped: boolean;
  all: RowFiles;
  /** Whether the result has columns of longitudes and latitudes. */
  hasCoordinates: boolean;
  /** The page that downloads the whole table as a file, or why there is none. */
  whole: { url: string } | { tooLarge: string };
  /** While there is no answer to the view: whether one is on its way. */
  missing: "waiting" | "failed" | undefined;
  onProblem: (problem: Problem) => void;
}

/** Saves the first page of the view as a file, or all of it, and says how many rows each is. */
export function DownloadPage(props: Props) {
  const { missing } = props;
  const [isOffered, setOffered] = useState(missing === undefined);
  if (missing === undefined && !isOffered) setOffered(true);
  // a menu that is open stays so while another answer arrives, as when the reader's session is found
  if (!isOffered || missing === "failed")
    return (
      <button type="button" className="button button-small needs-script" disabled>
        <Download size={15} aria-hidden="true" /> <span className="max-sm:sr-only">Download</span>
      </button>
    );
  return (
    <div className="needs-script explorer-menu">
      <Menu
        summary={
          <>
            <Download size={15} aria-hidden="true" /> <span className="max-sm:sr-only">Download</span>
          </>
        }
      >
        {missing ? <p className="menu-note">Reading the view …</p> : <Choices {...props} />}
      </Menu>
    </div>
  );
}

function Choices(props: Props) {
  const { formats, route, body, name, hasCoordinates, whole, all, total, rowsMax, isGrouped, onProblem } = props;
  const [busy, setBusy] = useState<string>();
  const save = async ({ media, extension }: DownloadFormat) => {
    setBusy(media);
    const asked = await askFile(route, body, media, new AbortController().signal);
    setBusy(undefined);
    if (asked?.problem) onProblem(asked.problem);
    if (asked?.data) saveAs(asked.data, `${name}.${extension}`);
  };
  return (
    <>
      {"url" in whole ? (
        <a className="menu-item" href={whole.url} rel="nofollow">
          The whole table …
        </a>
      ) : (
        <p className="px-2.5 pb-1.5 text-faint text-xs">The whole table: {whole.tooLarge}</p>
      )}
      {total !== undefined && total > rowsMax && (
        <DownloadAll {...all} total={total} noun={isGrouped ? "group" : "row"} onProblem={onProblem} />
      )}
      <fieldset>
        <legend className="menu-note">{savedText(props)}</legend>
        {formats
          .filter(({ needs }) => needs === undefined || hasCoordinates)
          .map((form) => (
            <button
              key={form.media}
              type="button"
              className="menu-item"
              disabled={busy !== undefined}
              onClick={() => void save(form)}
            >
              {form.label}
              {busy === form.media && " …"}
            </button>
          ))}
      </fieldset>
    </>
  );
}

/** `All 85 rows of this view`, `First 100 of 60,869 rows of this view`. */
function savedText({ rowsMax, before, total, isGrouped }: Props): string {
  const noun = isGrouped ? "group" : "row";
  if (total === undefined) return `This view, up to ${formatPlural(rowsMax, noun)}`;
  const left = Math.max(0, total - before);
  const part = partText({ shown: Math.min(left, rowsMax), before, total, isPartial: left > rowsMax, noun });
  if (part === undefined) return `All ${formatPlural(total, noun)} of this view`;
  return `${part.charAt(0).toUpperCase()}${part.slice(1)} of this view`;
}

/** Saves a file on the reader’s computer. */
export function saveAs(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
