import { downloadCurrent } from "./download-current";
import { getCroissant } from "./get-croissant";
import { getDataset } from "./get-dataset";
import { getSchema } from "./get-schema";
import { listVersions } from "./list-versions";
import type { AnyOperation } from "./operation";
import { previewTable } from "./preview-table";
import { queryTable, queryTableAnonymously } from "./query-table";
import { searchDatasets } from "./search-datasets";

/** Every operation that answers over HTTP, in the order of the documents made from it. */
export const OPERATIONS: readonly AnyOperation[] = [
  searchDatasets,
  getDataset,
  getCroissant,
  getSchema,
  previewTable,
  listVersions,
  queryTableAnonymously,
  queryTable,
  downloadCurrent,
];
