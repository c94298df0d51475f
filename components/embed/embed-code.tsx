"use client";

import { CodeXml } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { NOTE_MAX, TITLE_MAX } from "@/lib/view/view-address";
import { EMBED_THEMES, type EmbedTheme } from "./embed-data";

interface Props {
  /** The explorer's URL with the view, relative to the site's root. */
  path: string;
  /** Names the frame for screen readers. */
  title: string;
  /** The view's title and note, which the frame can override. */
  words: EmbedWords;
  /** While there is no answer to the view. */
  disabled: boolean;
}

interface EmbedWords {
  title: string;
  note: string;
}

const HEIGHT = 480;

/** Shows the HTML that embeds the view in another site. */
export function EmbedCode({ path, title, words, disabled }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button button-small needs-script"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        <CodeXml size={15} aria-hidden="true" /> <span className="max-sm:sr-only">Embed</span>
      </button>
      <Dialog open={open && !disabled} onClose={() => setOpen(false)} title="Embed this view">
        <EmbedForm path={path} title={title} words={words} />
      </Dialog>
    </>
  );
}

function EmbedForm({ path, title, words }: Omit<Props, "disabled">) {
  const [theme, setTheme] = useState<EmbedTheme>("auto");
  const [height, setHeight] = useState(String(HEIGHT));
  const [own, setOwn] = useState(words);
  const url = new URL(path.replace(/^\/datasets\//, "/embed/"), window.location.origin);
  for (const [name, text] of Object.entries(own)) setText(url, name, text);
  if (theme !== "auto") url.searchParams.set("theme", theme);
  const code = frameCode(readable(url), own.title.trim() || title, height);
  return (
    <div className="mt-3 space-y-4 text-sm">
      <p className="text-muted">
        Shows the first rows, or a chart of all rows, with their source on any page that accepts HTML. The frame says
        how much of the data it shows. It needs no JavaScript, sets no cookies and follows new versions, unless you are
        viewing an older one.
      </p>
      <div className="flex flex-wrap gap-4">
        <label className="grow">
          Theme
          <select className="field mt-1" value={theme} onChange={(event) => setTheme(event.target.value as EmbedTheme)}>
            {EMBED_THEMES.map((name) => (
              <option key={name} value={name}>
                {name === "auto" ? "match the reader’s" : name}
              </option>
            ))}
          </select>
        </label>
        <label className="grow">
          Height in pixels
          <input
            className="field mt-1"
            inputMode="numeric"
            value={height}
            onChange={(event) => setHeight(event.target.value.replaceAll(/\D/g, "").slice(0, 4))}
          />
        </label>
      </div>
      <div className="flex flex-wrap gap-4">
        <label className="grow">
          Title
          <input
            className="field mt-1"
            maxLength={TITLE_MAX}
            value={own.title}
            onChange={(event) => setOwn({ ...own, title: event.target.value })}
          />
        </label>
        <label className="grow">
          Caption
          <input
            className="field mt-1"
            maxLength={NOTE_MAX}
            value={own.note}
            onChange={(event) => setOwn({ ...own, note: event.target.value })}
          />
        </label>
      </div>
      <label className="block">
        HTML
        <textarea
          className="field mt-1 font-mono"
          rows={5}
          readOnly
          value={code}
          onFocus={(event) => event.target.select()}
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={code} label="HTML" look="button button-small">
          Copy HTML
        </CopyButton>
        <a className="button button-small" href={url.href} target="_blank" rel="noopener">
          Preview
        </a>
      </div>
    </div>
  );
}

function setText(url: URL, name: string, text: string): void {
  if (text.trim() === "") url.searchParams.delete(name);
  else url.searchParams.set(name, text.trim());
}

/** Commas and colons need no escaping in a query, and are easier to read without. */
const readable = (url: URL): string => url.href.replaceAll("%2C", ",").replaceAll("%3A", ":");

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const frameCode = (url: string, title: string, height: string): string =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="${Number(height) || HEIGHT}" ` +
  `loading="lazy" style="border:0"></iframe>`;
