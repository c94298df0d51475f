import { isPathName } from "@/lib/kernel/path-name";
import { directoryUrl } from "./directory-url";

/** The page of a topic; one whose name no path can hold has its filter of the directory. */
export const topicUrl = (topic: string): string =>
  isPathName(topic) ? `/topics/${encodeURIComponent(topic)}` : directoryUrl({ topic: [topic] });

/** The page of a publisher. */
export const publisherUrl = (slug: string): string => `/publishers/${slug}`;
