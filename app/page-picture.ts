import { PICTURE } from "@/components/picture/picture";
import type { Dataset } from "@/lib/schemas/dataset";

interface PagePicture {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/**
 * The picture of pages that are not about a single dataset. A page with its own `openGraph` must set its picture
 * itself.
 */
export const SITE_PICTURE: PagePicture = {
  url: "/card.png",
  ...PICTURE,
  alt: "Parquetry: open data as immutable Parquet",
};

/** A dataset's picture; its URL changes with the versions, so that other sites' copies do not outlive them. */
export const datasetPicture = ({ slug, title, publisher, tables }: Dataset): PagePicture => ({
  url: `/datasets/${slug}/card.png?v=${tables.map(({ version_id }) => version_id.slice(0, 8)).join("-")}`,
  ...PICTURE,
  alt: `${title}, published by ${publisher.name}`,
});
