import { tagOf } from "@/lib/openapi/document";
import { OPERATIONS } from "@/lib/operations/registry";
import { type DocEntry, docPath } from "./page-list";

export const operationSlug = (name: string): string => `api/${name.replaceAll("_", "-")}`;

/** The docs page of an operation. */
export const operationPath = (name: string): string => docPath(operationSlug(name));

export const operationOf = (slug: string) => OPERATIONS.find(({ name }) => operationSlug(name) === slug);

/** The pages of single operations, in the registry's order. */
export const OPERATION_ENTRIES: readonly (DocEntry & { tag: string })[] = OPERATIONS.map((operation) => ({
  slug: operationSlug(operation.name),
  title: operation.summary,
  summary: operation.description,
  group: "Interfaces",
  tag: tagOf(operation),
}));

/** The operations that the list of pages shows beside one: those about data, or those of accounts. */
export function operationsBeside(slug: string): typeof OPERATION_ENTRIES {
  const isOfAccounts = OPERATION_ENTRIES.find((entry) => entry.slug === slug)?.tag === "account";
  return OPERATION_ENTRIES.filter(({ tag }) => (tag === "account") === isOfAccounts);
}
