import { tagOf } from "@/lib/openapi/document";
import type { AnyOperation } from "@/lib/operations/operation";
import { ROUTED } from "@/lib/operations/registry";
import { type DocEntry, docPath } from "./page-list";

export const operationSlug = (name: string): string => `api/${name.replaceAll("_", "-")}`;

/** The docs page of an operation. */
export const operationPath = (name: string): string => docPath(operationSlug(name));

export const operationOf = (slug: string) => ROUTED.find(({ name }) => operationSlug(name) === slug);

type OperationEntry = DocEntry & { tag: string };

/** The docs page of a single operation, as listed among the pages. */
export const operationEntry = (operation: AnyOperation): OperationEntry => ({
  slug: operationSlug(operation.name),
  title: operation.summary,
  summary: operation.description,
  group: "Interfaces",
  tag: tagOf(operation),
});

/** The pages of single operations, in the registry's order. */
export const OPERATION_ENTRIES: readonly OperationEntry[] = ROUTED.map(operationEntry);

/** The operations listed next to an operation: those about data, or those about accounts. */
export function operationsBeside(slug: string): typeof OPERATION_ENTRIES {
  const isOfAccounts = OPERATION_ENTRIES.find((entry) => entry.slug === slug)?.tag === "account";
  return OPERATION_ENTRIES.filter(({ tag }) => (tag === "account") === isOfAccounts);
}
