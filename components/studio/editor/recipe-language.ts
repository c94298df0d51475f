import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { type RecipeChoice, type RecipeSchema, recipeChoices, recipeMeaning } from "@/lib/describe/recipe-choices";

/** YAML, of which JSON is a part, with choices and meanings from the recipe's published schema. */
export function recipeLanguage(schemaPath: string, columns: readonly string[]): Extension {
  const schema = loadedSchema(schemaPath);
  const source = (context: CompletionContext): CompletionResult | null => {
    const known = schema();
    const text = context.state.doc.toString();
    const found = known && recipeChoices(text, context.pos, known, columns);
    if (!found || (!context.explicit && !isAsked(text, found.from, context.pos))) return null;
    return { from: found.from, to: found.to, options: found.choices.map(optionOf), validFor: /^["']?[\w .:-]*$/ };
  };
  return [
    yaml(),
    autocompletion({ override: [source], icons: false, closeOnBlur: true, tooltipClass: () => "recipe-choices" }),
    hoverTooltip((view, position) => meaningTip(view, position, schema())),
  ];
}

/** Without being asked, choices appear once a word has begun, and where a value or an item is next. */
const isAsked = (text: string, from: number, position: number): boolean =>
  position > from || /[-:[{,]\s?$/.test(text.slice(Math.max(0, position - 2), position));

function optionOf(choice: RecipeChoice, at: number): Completion {
  const { label, apply, kind, detail, info, isRequired } = choice;
  return {
    label,
    type: kind,
    boost: (isRequired ? 50 : 0) - at / 100, // otherwise in the order of the schema
    ...(detail !== undefined && { detail }),
    ...(info !== undefined && { info: () => wordsNode(info) }),
    apply: (view, completion, from, to) => {
      view.dispatch({
        changes: { from, to, insert: apply },
        selection: { anchor: from + apply.length },
        userEvent: "input.complete",
        annotations: pickedCompletion.of(completion),
        scrollIntoView: true,
      });
    },
  };
}

function meaningTip(view: EditorView, position: number, schema: RecipeSchema | undefined): Tooltip | null {
  const meaning = schema && recipeMeaning(view.state.doc.toString(), position, schema);
  if (!meaning) return null;
  return {
    pos: meaning.from,
    end: meaning.to,
    above: true,
    create: () => ({ dom: wordsNode(meaning.words, meaning.key) }),
  };
}

function wordsNode(words: string, key?: string): HTMLElement {
  const node = document.createElement("div");
  node.className = "recipe-words";
  if (key !== undefined) node.append(Object.assign(document.createElement("code"), { textContent: key }));
  node.append(words);
  return node;
}

/** Without the schema there are no choices; everything else works. */
function loadedSchema(path: string): () => RecipeSchema | undefined {
  let schema: RecipeSchema | undefined;
  fetch(path)
    .then((reply) => (reply.ok ? reply.json() : undefined))
    .then(
      (loaded) => {
        schema = loaded;
      },
      () => undefined,
    );
  return () => schema;
}
