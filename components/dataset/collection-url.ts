import { isPathName } from "@/lib/kernel/path-name";
import { directoryUrl } from "./directory-url";

/** The page of a topic, or the directory filtered by it if its name cannot be part of a path. */
export const topicUrl = (topic: string): string =>
  isPathName(topic) ? `/topics/${encodeURIComponent(topic)}` : directoryUrl({ topic: [topic] });

/** The page of a publisher. */
export const publisherUrl = (slug: string): string => `/publishers/${slug}`;
