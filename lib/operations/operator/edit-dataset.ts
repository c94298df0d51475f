import { type DatasetTexts, datasetTextsSchema } from "@/lib/schemas/publish";
import { OPERATOR } from "@/lib/store/audit";
import { editDataset } from "@/lib/store/dataset-texts";

/** Changes what is given of a dataset, from the next request on, and says what differs. Throws with what to do. */
export async function editDatasetTexts(slug: string, texts: DatasetTexts) {
  if (Object.values(texts).every((value) => value === undefined))
    throw new Error("Nothing to change. Give at least one option; list them with: parquetry dataset edit --help");
  const edited = await editDataset(slug, datasetTextsSchema.parse(texts), OPERATOR);
  if (!edited) throw new Error(`Unknown dataset: ${slug}. List datasets with: parquetry dataset list`);
  return { dataset: slug, changed: edited.changed };
}
