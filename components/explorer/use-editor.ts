"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { EditorName } from "./explorer-editor";

export interface OpenEditor {
  name: EditorName;
  column?: string;
}

/** The open editor. Escape closes it and returns the focus to the control that opened it. */
export function useEditor() {
  const [editor, setOpen] = useState<OpenEditor>();
  const opener = useRef<Element>(null);
  const name = editor?.name;
  const setEditor = useCallback(
    (next: OpenEditor | undefined) => {
      if (next && name === undefined) opener.current = document.activeElement;
      setOpen(next);
      if (!next && name !== undefined) focusOpener(opener.current, name);
    },
    [name],
  );
  useEffect(() => {
    if (name === undefined) return;
    const close = (event: KeyboardEvent) => {
      const isOthers = event.defaultPrevented || document.querySelector("dialog[open], :popover-open") !== null;
      if (event.key === "Escape" && !isOthers) setEditor(undefined);
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [name, setEditor]);
  return { editor, setEditor };
}

/** The control that opened an editor may have disappeared with the previous view; its toolbar button never does. */
function focusOpener(opener: Element | null, name: EditorName): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const place = isThere ? opener : document.querySelector<HTMLElement>(`[data-editor="${name}"]`);
  place?.focus();
}
