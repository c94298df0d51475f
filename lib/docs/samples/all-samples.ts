import { AGENT_SAMPLES } from "./agents";
import { BY_COMMAND_LINE, BY_CURL } from "./build";
import { CONNECT_SAMPLES } from "./connect";
import { FORMAT_SAMPLES } from "./formats";
import { QUERY_SAMPLES } from "./query";
import { QUICK_START_SAMPLES } from "./quick-start";
import { RULE_SAMPLES } from "./rules";
import type { Sample } from "./sample";
import { VERSION_SAMPLES } from "./versions";

/** Every sample in the docs. */
export const ALL_SAMPLES: readonly Sample[] = [
  ...QUICK_START_SAMPLES,
  ...QUERY_SAMPLES,
  ...VERSION_SAMPLES,
  ...FORMAT_SAMPLES,
  ...RULE_SAMPLES,
  ...CONNECT_SAMPLES,
  ...AGENT_SAMPLES,
  ...BY_CURL,
  ...BY_COMMAND_LINE,
];
