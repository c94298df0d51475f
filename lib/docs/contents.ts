import { access } from "./content/access";
import { accounts } from "./content/accounts";
import { agents } from "./content/agents";
import { api } from "./content/api";
import { types } from "./content/column-types";
import { commandLine } from "./content/command-line";
import { connect } from "./content/connect";
import { errors } from "./content/errors";
import { formats } from "./content/formats";
import { freshness } from "./content/freshness";
import { limits } from "./content/limits";
import { query } from "./content/query";
import { quickStart } from "./content/quick-start";
import { selfHosting } from "./content/self-hosting";
import { versions } from "./content/versions";
import type { DocContent } from "./doc";

/** What each page of the list holds. */
export const CONTENTS: Readonly<Record<string, DocContent>> = {
  "": quickStart,
  connect,
  agents,
  query,
  types,
  formats,
  versions,
  freshness,
  errors,
  limits,
  access,
  accounts,
  api,
  "command-line": commandLine,
  "self-hosting": selfHosting,
};
