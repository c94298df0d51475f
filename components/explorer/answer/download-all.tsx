"use client";

import { useState } from "react";
import { formatPlural } from "@/lib/kernel/format";
import { askAhead } from "./ask";
import type { Problem } from "./problem";

/** A format in which all rows of a view are saved. */
export interface RowFileFormat {
  label: string;
  extension: string;
  /** The most rows that it holds. */
  rowsMax?: number;
}

/** The files of all rows, and where they are. */
export interface RowFiles {
  formats: readonly RowFileFormat[];
  /** The URL of the file with an extension; undefined for people who are not signed in. */
  urlOf: ((extension: string) => string) | undefined;
  /** Where they sign in, to return to the view. */
  signInUrl: string;
}

interface Props extends RowFiles {
  /** Rows or groups of the view. */
  total: number;
  noun: "row" | "group";
  onProblem: (problem: Problem) => void;
}

/** Saves all rows of the view, which the service writes while they are sent. */
export function DownloadAll({ formats, urlOf, signInUrl, total, noun, onProblem }: Props) {
  const [busy, setBusy] = useState<string>();
  const words = `All ${formatPlural(total, noun)} of this view`;
  const save = async (url: string, extension: string) => {
    setBusy(extension);
    const problem = await askAhead(url);
    setBusy(undefined);
    if (problem) onProblem(problem);
    else openFile(url);
  };
  if (!urlOf)
    return (
      <p className="menu-note">
        {words}:{" "}
        <a className="link" href={signInUrl}>
          sign in
        </a>{" "}
        to save them.
      </p>
    );
  return (
    <fieldset>
      <legend className="menu-note">{words}</legend>
      {formats.map(({ label, extension, rowsMax = Infinity }) => (
        <button
          key={extension}
          type="button"
          className="menu-item"
          disabled={busy !== undefined || total > rowsMax}
          onClick={() => void save(urlOf(extension), extension)}
        >
          {label}
          {busy === extension && " …"}
          {total > rowsMax && `: at most ${formatPlural(rowsMax, noun)}`}
        </button>
      ))}
      <p className="px-2.5 pb-1.5 text-faint text-xs">Each counts as one download.</p>
    </fieldset>
  );
}

function openFile(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
