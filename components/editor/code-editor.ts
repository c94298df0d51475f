import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
import { EDITOR_THEME } from "./editor-theme";

/** A sentence about a line, counted from 1. */
export interface LineMark {
  line: number;
  message: string;
  tone: "error" | "warning";
}

export interface CodeEditor {
  focus(): void;
  setText(text: string): void;
  /** Selects a line and scrolls to it. */
  showLine(line: number): void;
  /** Marks lines in the gutter and under their text; lines of later changes move with it. */
  setMarks(marks: readonly LineMark[]): void;
  remove(): void;
}

interface Given {
  parent: HTMLElement;
  /** The form's field, which keeps the text. */
  field: HTMLTextAreaElement;
  labelledBy: string;
  describedBy: string;
  /** How the text is coloured, and what is offered while it is written. */
  language: Extension;
  onText(text: string): void;
  /** The cursor moved to another line, or the text changed. */
  onCursor(offset: number, line: number): void;
}

/** After Escape, Tab leaves the editor until another key is pressed, at the latest after this time. */
const LEAVES_MS = 600_000;

/** An editor in place of the field, whose value follows it. Takes over the field's text, selection and focus. */
export function createCodeEditor(given: Given): CodeEditor {
  const { parent, field } = given;
  const { value, selectionStart, selectionEnd } = field;
  const hadFocus = document.activeElement === field;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      ...(hadFocus && { selection: { anchor: selectionStart, head: selectionEnd } }),
      extensions: [...BEHAVIOUR, given.language, follow(given), attributes(given)],
    }),
  });
  if (hadFocus) view.focus();
  return {
    focus: () => view.focus(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    showLine: (line) => showLine(view, line),
    setMarks: (marks) => view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, marks))),
    remove: () => view.destroy(),
  };
}

const BEHAVIOUR = [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  history(),
  drawSelection(),
  indentUnit.of("  "),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  search({ top: true }),
  tooltips({ position: "fixed" }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
  EDITOR_THEME,
];

const attributes = ({ labelledBy, describedBy }: Given) => [
  EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""),
  EditorView.contentAttributes.of({
    tabindex: "0",
    "aria-labelledby": labelledBy,
    "aria-describedby": describedBy,
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
  }),
  EditorView.domEventHandlers({
    beforeinput: replaceLines,
    keyup: (event, view) => {
      if (event.key === "Escape") view.setTabFocusMode(LEAVES_MS);
    },
  }),
];

/**
 * Text typed over several lines. The browser itself would keep their look with style attributes, which the policy of
 * our pages blocks and reports.
 */
function replaceLines(event: InputEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const isWithin = view.state.doc.lineAt(from).to >= to;
  if (isWithin || event.inputType !== "insertText" || event.isComposing || !event.data) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

/** The field has the text at all times, since it is what the form sends. */
const follow = ({ field, onText, onCursor }: Given) =>
  EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (docChanged) {
      field.value = state.doc.toString();
      onText(field.value);
    }
    const { head } = state.selection.main;
    if (docChanged || selectionSet) onCursor(head, state.doc.lineAt(head).number);
  });

function showLine(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  const anchor = line.from + (/^\s*(?:- +(?=\S))*/.exec(line.text)?.[0].length ?? 0);
  view.dispatch({
    selection: { anchor, head: line.to },
    effects: EditorView.scrollIntoView(line.from, { y: "center" }),
  });
  view.focus();
}

function diagnosticsOf({ doc }: EditorState, marks: readonly LineMark[]): Diagnostic[] {
  return marks.flatMap(({ line, message, tone }) => {
    if (line < 1 || line > doc.lines) return [];
    const { from, to, text } = doc.line(line);
    const start = from + (/^\s*(?:- +(?=\S))*/.exec(text)?.[0].length ?? 0);
    return [{ from: Math.min(start, to), to, message, severity: tone }];
  });
}
