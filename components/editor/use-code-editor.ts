import type { Extension } from "@codemirror/state";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { CodeEditor, LineMark } from "./code-editor";

interface Given {
  field: RefObject<HTMLTextAreaElement | null>;
  host: RefObject<HTMLDivElement | null>;
  labelledBy: string;
  describedBy: string;
  /** Loads the language of the text; must be the same function as long as the language is the same. */
  language: () => Promise<Extension>;
  onText(text: string): void;
}

/** The text, and where the cursor is in it: the offset, and the line, from 1. */
export interface Cursor {
  text: string;
  offset: number;
  line: number;
}

/**
 * Puts an editor in the place of the form's field once its script has loaded. If that fails, the field remains.
 */
export function useCodeEditor({ field, host, labelledBy, describedBy, language, onText }: Given) {
  const editor = useRef<CodeEditor>(undefined);
  const marks = useRef<readonly LineMark[]>([]);
  const [isReady, setReady] = useState(false);
  const [cursor, setCursor] = useState<Cursor>({ text: "", offset: 0, line: 1 });
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    let isOver = false;
    Promise.all([import("./code-editor"), language()]).then(
      ([{ createCodeEditor }, loaded]) => {
        if (isOver || !field.current || !host.current) return;
        editor.current = createCodeEditor({
          ...{ parent: host.current, field: field.current, labelledBy, describedBy, language: loaded },
          onText: (text) => latest.current(text),
          onCursor: (offset, line) => setCursor({ text: field.current?.value ?? "", offset, line }),
        });
        editor.current.setMarks(marks.current);
        setCursor({ text: field.current.value, offset: 0, line: 1 });
        setReady(true);
      },
      () => undefined, // the field takes the text as well
    );
    return () => {
      isOver = true;
      editor.current?.remove();
      editor.current = undefined;
      setReady(false);
    };
  }, [field, host, labelledBy, describedBy, language]);
  const setText = useCallback(
    (text: string) => {
      if (editor.current) editor.current.setText(text);
      else if (field.current) field.current.value = text;
    },
    [field],
  );
  const showLine = useCallback(
    (line: number) => {
      if (editor.current) editor.current.showLine(line);
      else if (field.current) selectLine(field.current, line);
    },
    [field],
  );
  const setMarks = useCallback((given: readonly LineMark[]) => {
    marks.current = given;
    editor.current?.setMarks(given);
  }, []);
  const focus = useCallback(() => editor.current?.focus(), []);
  return { isReady, cursor, setText, showLine, setMarks, focus };
}

/** Selects a line of the field, and scrolls to it. */
function selectLine(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4);
}
