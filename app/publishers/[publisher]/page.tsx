import type { Metadata } from "next";
import { pageContext } from "@/app/context";
import { readCollection } from "@/app/dataset-collection";
import { Missing, NOT_FOUND } from "@/app/missing";
import { keptValues, type SearchParams } from "@/app/search-params";
import { publisherUrl, topicUrl } from "@/components/dataset/collection-url";
import { DatasetCollection } from "@/components/dataset/dataset-collection";
import { directoryUrl } from "@/components/dataset/directory-url";
import { formatPlural } from "@/lib/kernel/format";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ publisher: string }>; searchParams: SearchParams };

async function readPublisher({ params, searchParams }: Props) {
  const { publisher: slug } = await params;
  const { cursor } = await keptValues("/publishers/[publisher]", searchParams);
  const found = await readCollection("publisher", slug, cursor);
  const name = found?.catalogue.datasets[0]?.publisher.name;
  return found && name !== undefined ? { slug, name, ...found } : undefined;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const found = await readPublisher(props);
  if (!found) return NOT_FOUND;
  return {
    title: `Datasets by ${found.name}`,
    description: `${formatPlural(found.catalogue.total, "open dataset")} published by ${found.name}.`,
    alternates: { canonical: publisherUrl(found.slug) },
  };
}

/** The datasets of one publisher, with their topics and licences. */
export default async function PublisherPage(props: Props) {
  const found = await readPublisher(props);
  if (!found) return <Missing near={(await props.params).publisher} />;
  const { slug, name, catalogue, facets } = found;
  const { next_cursor: cursor } = catalogue;
  return (
    <DatasetCollection
      kind="Publisher"
      name={name}
      catalogue={catalogue}
      beside={[
        {
          title: "Topics",
          links: facets.topic.map(({ value, count }) => ({ text: value, href: topicUrl(value), count })),
        },
        {
          title: "Licences",
          links: facets.license.map(({ value, count }) => ({
            text: value,
            href: directoryUrl({ publisher: [slug], license: [value] }),
            count,
          })),
        },
      ]}
      directory={directoryUrl({ publisher: [slug] })}
      next={cursor === null ? undefined : `${publisherUrl(slug)}?${new URLSearchParams({ cursor })}`}
      now={pageContext().now()}
    />
  );
}
