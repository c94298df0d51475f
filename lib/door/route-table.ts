/** A route by its path, in which `{name}` stands for any one segment. */
export interface Route<T> {
  path: string;
  target: T;
}

export interface Match<T> {
  target: T;
  params: Readonly<Record<string, string>>;
}

interface Node<T> {
  children: Map<string, Node<T>>;
  any?: { name: string; node: Node<T> };
  target?: T;
}

/**
 * Finds routes by path, preferring a literal segment to `{name}`. Throws if two routes have the same path, or name a
 * segment differently.
 */
export function routeTable<T>(routes: readonly Route<T>[]): (path: string) => Match<T> | undefined {
  const root: Node<T> = { children: new Map() };
  for (const { path, target } of routes) {
    const node = segmentsOf(path).reduce(step, root);
    if (node.target !== undefined) throw new Error(`two routes at ${path}`);
    node.target = target;
  }
  return (path) => find(root, segmentsOf(path), 0);
}

const segmentsOf = (path: string): string[] => path.split("/").slice(1);

function step<T>(node: Node<T>, segment: string): Node<T> {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name === undefined) {
    const child = node.children.get(segment) ?? { children: new Map() };
    node.children.set(segment, child);
    return child;
  }
  node.any ??= { name, node: { children: new Map() } };
  if (node.any.name !== name) throw new Error(`{${name}} is called {${node.any.name}} elsewhere`);
  return node.any.node;
}

/** A path has few segments, and each is looked up at most twice per level. */
function find<T>(node: Node<T>, segments: readonly string[], at: number): Match<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.target === undefined ? undefined : { target: node.target, params: {} };
  const written = node.children.get(segment);
  const found = written && find(written, segments, at + 1);
  if (found || !node.any || segment === "") return found;
  const { name, node: next } = node.any;
  const value = decode(segment);
  const rest = value === undefined ? undefined : find(next, segments, at + 1);
  return rest && value !== undefined ? { target: rest.target, params: { [name]: value, ...rest.params } } : undefined;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
