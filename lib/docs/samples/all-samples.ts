import * as agents from "./agents";
import * as build from "./build";
import * as connect from "./connect";
import * as formats from "./formats";
import * as moreQuery from "./more-query";
import * as query from "./query";
import * as quickStart from "./quick-start";
import * as rules from "./rules";
import type { Sample } from "./sample";
import * as values from "./values";
import * as versions from "./versions";

/** Every sample in the docs, in the order of their files. */
export const ALL_SAMPLES: readonly Sample[] = [
  quickStart,
  query,
  moreQuery,
  values,
  versions,
  formats,
  rules,
  connect,
  agents,
  { curl: build.BY_CURL, commandLine: build.BY_COMMAND_LINE },
].flatMap((file) => Object.values(file as Record<string, Sample | readonly Sample[]>).flat());
