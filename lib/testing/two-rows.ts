import { publishText } from "./publish-text";

/** Publishes a table of two rows; its id. */
export const publishTwoRows = async (slug: string): Promise<string> =>
  (await publishText(slug, "id,name\n1,a\n2,b\n", { topics: ["water"] })).table_id;
