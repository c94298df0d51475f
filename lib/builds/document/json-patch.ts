import { pointerTo } from "@/lib/engine/grammar/pointer";
import { type Fault, fail, failWith } from "@/lib/kernel/errors";
import { RECIPE_BYTES_MAX } from "@/lib/schemas/recipe";
import { canonicalJson } from "./canonical";

/** One change of RFC 6902. `value` is a tree of `parseJsonBody`, whose numbers keep their digits. */
export interface PatchOperation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string | undefined;
  value?: unknown;
}

type Node = Record<string, unknown> | unknown[];
type Edit = (container: Node, key: string) => Node;

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * The tree after all changes of a JSON Patch (RFC 6902), in order. The given tree is not modified. Throws one failure
 * that names the invalid change: `invalid_value`, `conflict` for a test that fails, `request_too_large`.
 */
export function patchTree(tree: unknown, patch: readonly PatchOperation[]): unknown {
  let patched = tree;
  for (const [at, change] of patch.entries()) {
    try {
      patched = apply(patched, change);
    } catch (problem) {
      if (!(problem instanceof PatchProblem)) throw problem;
      throw failWith([{ pointer: `/patch/${at}/${problem.member}`, code: problem.code, message: problem.message }]);
    }
  }
  return patched;
}

class PatchProblem extends Error {
  constructor(
    readonly member: "path" | "from" | "value",
    message: string,
    readonly code: Fault["code"] = "invalid_value",
  ) {
    super(message);
  }
}

function apply(tree: unknown, change: PatchOperation): unknown {
  const { op, path, value } = change;
  switch (op) {
    case "add":
      return add(tree, path, value);
    case "remove":
      return edited(tree, path, (container, key) => without(container, key, path));
    case "replace":
      valueAt(tree, path, "path");
      return path === "" ? value : edited(tree, path, (container, key) => put(container, key, value));
    case "test":
      return tested(tree, path, value);
    case "copy":
      return bounded(add(tree, path, valueAt(tree, change.from ?? "", "from")));
    case "move":
      return moved(tree, change.from ?? "", path);
  }
}

function add(tree: unknown, path: string, value: unknown): unknown {
  return path === "" ? value : edited(tree, path, (container, key) => insert(container, key, value, path));
}

function moved(tree: unknown, from: string, path: string): unknown {
  if (path.startsWith(`${from}/`))
    throw new PatchProblem("path", `${path} is inside ${from}, which cannot be moved into itself.`);
  const value = valueAt(tree, from, "from");
  const rest = edited(tree, from, (container, key) => without(container, key, from), "from");
  return from === path ? tree : add(rest, path, value);
}

function tested(tree: unknown, path: string, value: unknown): unknown {
  const found = canonicalJson(valueAt(tree, path, "path"));
  if (found === canonicalJson(value)) return tree;
  throw new PatchProblem("value", `The value at ${path || "the top level"} is ${found.slice(0, 200)}.`, "conflict");
}

/** Repeated copies would double a document with each change. */
function bounded(tree: unknown): unknown {
  if (Buffer.byteLength(canonicalJson(tree)) <= RECIPE_BYTES_MAX) return tree;
  throw fail("request_too_large", { message: "The patch makes the recipe larger than 48 KiB." });
}

function keysOf(path: string, member: PatchProblem["member"]): string[] {
  if (path !== "" && !path.startsWith("/"))
    throw new PatchProblem(member, `${JSON.stringify(path.slice(0, 100))} is not a JSON Pointer. Start it with /.`);
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(tree: unknown, path: string, member: PatchProblem["member"]): unknown {
  let [found, pointer] = [tree, ""];
  for (const key of keysOf(path, member)) {
    if (!isNode(found) || !has(found, key)) throw nothingAt(pointer + pointerTo(key), found, member);
    found = (found as Record<string, unknown>)[key];
    pointer += pointerTo(key);
  }
  return found;
}

/** The tree with the container of the path's last key edited. Everything else is shared. */
function edited(tree: unknown, path: string, edit: Edit, member: PatchProblem["member"] = "path"): unknown {
  const keys = keysOf(path, member);
  const last = keys.pop();
  if (last === undefined) throw new PatchProblem(member, "The entire recipe cannot be removed.");
  const containers: Node[] = [];
  let [found, pointer] = [tree, ""];
  for (const key of [...keys, last]) {
    if (!isNode(found)) throw nothingAt(pointer + pointerTo(key), found, member);
    containers.push(found);
    if (containers.length > keys.length) break;
    if (!has(found, key)) throw nothingAt(pointer + pointerTo(key), found, member);
    found = (found as Record<string, unknown>)[key];
    pointer += pointerTo(key);
  }
  const changed = edit(containers.pop() as Node, last);
  return containers.reduceRight<Node>((inner, container, at) => put(container, keys[at] as string, inner), changed);
}

function insert(container: Node, key: string, value: unknown, path: string): Node {
  if (!Array.isArray(container)) return put(container, key, value);
  const at = key === "-" ? container.length : INDEX.test(key) ? Number(key) : -1;
  if (at < 0 || at > container.length) throw nothingAt(path, container, "path");
  return container.toSpliced(at, 0, value);
}

const put = (container: Node, key: string, value: unknown): Node =>
  Array.isArray(container) ? container.with(Number(key), value) : { ...container, [key]: value };

function without(container: Node, key: string, path: string): Node {
  if (!has(container, key)) throw nothingAt(path, container, "path");
  if (Array.isArray(container)) return container.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(container).filter(([name]) => name !== key));
}

const isNode = (value: unknown): value is Node => {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
};

const has = (node: Node, key: string): boolean =>
  Array.isArray(node) ? INDEX.test(key) && Number(key) < node.length : Object.hasOwn(node, key);

function nothingAt(pointer: string, container: unknown, member: PatchProblem["member"]): PatchProblem {
  const known = Array.isArray(container)
    ? `the list has ${container.length} ${container.length === 1 ? "item" : "items"}`
    : isNode(container)
      ? `there are ${Object.keys(container).slice(0, 20).join(", ") || "no members"}`
      : "there is a single value";
  return new PatchProblem(member, `Nothing at ${pointer.slice(0, 200)}: ${known}.`);
}
