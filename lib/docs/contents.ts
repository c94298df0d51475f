import { access } from "./content/access";
import { accounts } from "./content/accounts";
import { agents } from "./content/agents";
import { api } from "./content/api";
import { build } from "./content/build";
import { changes } from "./content/changes";
import { clients } from "./content/clients";
import { types } from "./content/column-types";
import { commandLine } from "./content/command-line";
import { connect } from "./content/connect";
import { errors } from "./content/errors";
import { explorer } from "./content/explorer";
import { formats } from "./content/formats";
import { freshness } from "./content/freshness";
import { hostedTables } from "./content/hosted-tables";
import { limits } from "./content/limits";
import { news } from "./content/news";
import { privacy } from "./content/privacy";
import { query } from "./content/query";
import { quickStart } from "./content/quick-start";
import { recipeFunctions } from "./content/recipe-functions";
import { recipeSteps } from "./content/recipe-steps";
import { recipes } from "./content/recipes";
import { selfHosting } from "./content/self-hosting";
import { versions } from "./content/versions";
import type { DocContent } from "./doc";

/** The contents of each page. */
export const CONTENTS: Readonly<Record<string, DocContent>> = {
  "": quickStart,
  connect,
  agents,
  explorer,
  query,
  types,
  formats,
  versions,
  freshness,
  news,
  build,
  recipes,
  "recipe-steps": recipeSteps,
  "recipe-functions": recipeFunctions,
  "hosted-tables": hostedTables,
  errors,
  limits,
  access,
  accounts,
  privacy,
  changes,
  api,
  clients,
  "command-line": commandLine,
  "self-hosting": selfHosting,
};
