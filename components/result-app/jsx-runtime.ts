import type { ReactNode } from "react";

/**
 * What the app's components are compiled against instead of React (`lib/mcp/build-result-app.ts`): they are rendered
 * once, directly as DOM nodes. Strings become text nodes, never markup.
 */
interface Element {
  type: string | symbol | ((props: Props) => unknown);
  props: Props;
}

type Props = Readonly<Record<string, unknown>>;

export const Fragment = Symbol("fragment");
export const jsx = (type: Element["type"], props: Props): Element => ({ type, props });
export const jsxs = (type: Element["type"], props: Props): Element => jsx(type, props);

/** Replaces an element's content with a component's markup. */
export const show = (node: ReactNode, into: HTMLElement): void => into.replaceChildren(...nodesOf(node, false));

const SVG = "http://www.w3.org/2000/svg";
const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: "class",
  tabIndex: "tabindex",
  textAnchor: "text-anchor",
};

function nodesOf(node: unknown, inSvg: boolean): Node[] {
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (Array.isArray(node)) return node.flatMap((one) => nodesOf(one, inSvg));
  if (typeof node !== "object") return [document.createTextNode(String(node))];
  const { type, props } = node as Element;
  if (type === Fragment) return nodesOf(props.children, inSvg);
  if (typeof type === "function") return nodesOf(type(props), inSvg);
  return [elementOf(String(type), props, inSvg || type === "svg")];
}

function elementOf(name: string, { children, ...attributes }: Props, inSvg: boolean): Node {
  const element = inSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !attribute.startsWith("aria-"))) continue;
    if (typeof value === "function") element.addEventListener(attribute.slice(2).toLowerCase(), value as EventListener);
    else element.setAttribute(ATTRIBUTES[attribute] ?? attribute, value === true ? "" : String(value));
  }
  element.append(...nodesOf(children, inSvg));
  return element;
}
