import { directoryUrl } from "./directory-url";

/** The page of a topic; one whose name no path can hold has its filter of the directory. */
export const topicUrl = (topic: string): string =>
  topic.includes("/") || /^\.{1,2}$/.test(topic) ? directoryUrl({ topic }) : `/topics/${encodeURIComponent(topic)}`;

/** The page of a publisher. */
export const publisherUrl = (slug: string): string => `/publishers/${slug}`;
