import { syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

/** The classes that code has on every page. */
const HIGHLIGHTER = tagHighlighter([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "code-function" },
  { tag: [tags.string, tags.special(tags.string), tags.content], class: "code-string" },
  { tag: [tags.labelName, tags.typeName, tags.keyword, tags.meta], class: "code-keyword" },
  { tag: [tags.comment, tags.lineComment], class: "code-comment" },
]);

const BUTTON = {
  minHeight: "2rem",
  border: "1px solid var(--line-strong)",
  borderRadius: "var(--radius-sm)",
  background: "var(--raised)",
  backgroundImage: "none",
  color: "var(--ink)",
  fontSize: "0.8125rem",
} as const;

/**
 * The editor in the pages' own colours, which have a value in both themes. Part of the editor's script, so that no
 * other page loads it.
 */
export const EDITOR_THEME: Extension = [
  syntaxHighlighting(HIGHLIGHTER),
  EditorView.theme({
    "&": {
      height: "var(--editor-height, 32rem)",
      minHeight: "8rem",
      maxHeight: "85vh",
      resize: "vertical",
      overflow: "hidden",
      border: "1px solid var(--line-field)",
      borderRadius: "var(--radius-md)",
      background: "var(--paper)",
      color: "var(--ink)",
      fontSize: "0.8125rem",
    },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
    ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.25rem", overscrollBehavior: "auto" },
    ".cm-content": { padding: "0.5rem 0", caretColor: "var(--accent)", fontVariantLigatures: "none" },
    ".cm-line": { padding: "0 0.75rem 0 0.375rem" },
    ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "var(--accent-soft)",
    },
    ".cm-content ::selection": { backgroundColor: "var(--accent-soft)", color: "inherit" },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)" },
    ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
    ".cm-gutters": { border: "0", backgroundColor: "var(--surface)", color: "var(--faint)" },
    ".cm-lineNumbers .cm-gutterElement": { minWidth: "2rem", padding: "0 0.375rem 0 0.125rem" },
    ".cm-gutter-lint": { width: "1.125rem" },
    ".cm-gutter-lint .cm-gutterElement": { padding: "0.25rem 0 0 0.25rem" },
    ".cm-lint-marker": { width: "0.75rem", height: "0.75rem" },
    ".cm-lint-marker-error, .cm-lint-marker-warning": { content: "''", display: "block" },
    ".cm-lint-marker-error": { borderRadius: "999px", background: "var(--danger)" },
    ".cm-lint-marker-warning": {
      background: "var(--warning)",
      clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
    },
    ".cm-lintRange-error, .cm-lintRange-warning": {
      backgroundImage: "none",
      textDecoration: "underline wavy var(--danger) 1px",
      textUnderlineOffset: "3px",
      textDecorationSkipInk: "none",
    },
    ".cm-lintRange-warning": { textDecorationColor: "var(--warning)" },
    ".cm-lintRange-active": { backgroundColor: "var(--danger-soft)" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
      backgroundColor: "transparent",
      outline: "1px solid var(--line-strong)",
    },
    ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--danger-soft)" },
    ".cm-searchMatch": { backgroundColor: "var(--mark)", color: "var(--ink)" },
    ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
    ".cm-selectionMatch": { backgroundColor: "var(--surface)" },
    ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", fontFamily: "var(--font-sans)" },
    ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-panel.cm-search": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      gap: "0.375rem",
      padding: "0.5rem 2.25rem 0.5rem 0.5rem",
    },
    ".cm-panel.cm-search br": { display: "none" },
    ".cm-panel.cm-search label": {
      display: "inline-flex",
      alignItems: "center",
      gap: "0.25rem",
      fontSize: "0.8125rem",
    },
    ".cm-panel.cm-search [name=close]": {
      inset: "0.5rem 0.375rem auto auto",
      minWidth: "1.75rem",
      fontSize: "1.25rem",
    },
    ".cm-textfield": {
      flex: "1 1 9rem",
      minWidth: "0",
      minHeight: "2rem",
      border: "1px solid var(--line-field)",
      borderRadius: "var(--radius-sm)",
      backgroundColor: "var(--paper)",
      color: "var(--ink)",
      fontSize: "0.8125rem",
    },
    ".cm-button": BUTTON,
    ".cm-button:hover": { borderColor: "var(--accent)", color: "var(--accent)" },
    ".cm-tooltip": {
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius-md)",
      backgroundColor: "var(--raised)",
      color: "var(--ink)",
      boxShadow: "var(--shadow-overlay)",
      fontFamily: "var(--font-sans)",
      fontSize: "0.8125rem",
      lineHeight: "1.25rem",
      overflow: "hidden",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": {
      maxWidth: "min(24rem, 92vw)",
      maxHeight: "15rem",
      fontFamily: "var(--font-mono)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
      display: "flex",
      alignItems: "baseline",
      gap: "0.75rem",
      padding: "0.25rem 0.75rem",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
      background: "var(--accent-soft)",
      color: "var(--ink)",
    },
    ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)", fontWeight: "600" },
    ".cm-completionDetail": {
      marginLeft: "auto",
      color: "var(--muted)",
      fontFamily: "var(--font-sans)",
      fontStyle: "normal",
      fontSize: "0.75rem",
    },
    ".cm-completionInfo": { maxWidth: "min(22rem, 92vw)", padding: "0.5rem 0.75rem" },
    ".cm-tooltip .recipe-words": { whiteSpace: "pre-line", overflowWrap: "anywhere" },
    ".cm-tooltip-hover .recipe-words": { maxWidth: "min(24rem, 92vw)", padding: "0.5rem 0.75rem" },
    ".recipe-words code": { display: "block", fontFamily: "var(--font-mono)", fontWeight: "600" },
    ".cm-tooltip-lint": { maxWidth: "min(30rem, 92vw)" },
    ".cm-diagnostic": { padding: "0.5rem 0.75rem", borderLeft: "3px solid var(--danger)" },
    ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
    ".cm-diagnosticText": { whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  }),
];
