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

type Props = { params: Promise<{ topic: string }>; searchParams: SearchParams };

async function readTopic({ params, searchParams }: Props) {
  const topic = decoded((await params).topic);
  const { cursor } = await keptValues("/topics/[topic]", searchParams);
  const found = await readCollection("topic", topic, cursor);
  return found && { topic, ...found };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const found = await readTopic(props);
  if (!found) return NOT_FOUND;
  return {
    title: `Datasets about ${found.topic}`,
    description: `${formatPlural(found.catalogue.total, "open dataset")} about ${found.topic}.`,
    alternates: { canonical: topicUrl(found.topic) },
  };
}

/** The datasets of one topic, with their publishers and further topics. */
export default async function TopicPage(props: Props) {
  const found = await readTopic(props);
  if (!found) return <Missing near={(await props.params).topic} />;
  const { topic, catalogue, facets } = found;
  const publishers = facets.publisher.map(({ value, label, count }) => ({
    text: label,
    href: publisherUrl(value),
    count,
  }));
  const own = new Map<string, number>();
  for (const entry of catalogue.datasets)
    for (const other of entry.topics) if (other !== topic) own.set(other, (own.get(other) ?? 0) + 1);
  const topics = [...own]
    .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
    .map(([text]) => ({ text, href: topicUrl(text) }));
  return (
    <DatasetCollection
      kind="Topic"
      name={topic}
      catalogue={catalogue}
      beside={[
        { title: "Publishers", links: publishers },
        { title: "Related topics", links: topics },
      ]}
      directory={directoryUrl({ topic: [topic] })}
      next={nextOf(topicUrl(topic), catalogue.next_cursor)}
      now={pageContext().now()}
    />
  );
}

const nextOf = (path: string, cursor: string | null): string | undefined =>
  cursor === null ? undefined : `${path}?${new URLSearchParams({ cursor })}`;

/** The topic in the path; a path that does not decode to text has none. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
