import { type DocContent, h2, list, note, samples, text } from "@/lib/docs/doc";
import { BY_COMMAND_LINE, BY_CURL, LEVELS } from "@/lib/docs/samples/build";

export const build: DocContent = ({ place: { base } }) => [
  text(
    "From an address on the web to a documented, checked table with immutable versions, without code. You write a " +
      "[recipe](/docs/recipes) or an agent does; a run tries it on a sample, you approve exactly that, and the full " +
      "run seals a version that nobody else sees until it is made current.",
  ),
  note(
    "Building takes a workspace on the paid plan, which an owner chooses under [Settings, " +
      "Workspace](/settings/workspace). Reading never does.",
  ),
  h2("source", "The source"),
  text(
    "This is what an office publishes: its own names, points for thousands and commas for decimals, days as people " +
      "write them, and a total that is no gauge.",
  ),
  { kind: "code", label: "levels.csv", language: "text", code: LEVELS.trimEnd() },
  h2("browser", "In the browser"),
  list(
    "[Studio](/studio), **New dataset**: a title, and the address of the source, or a file of an npm package. A file " +
      "of your own is stored under **Uploads** first, and **New dataset** beside it begins with what is found in it. " +
      "A large one is better sent by `parquetry upload FILE`, which continues after a broken connection.",
    "Write the recipe, which begins with what was found. **Look at another source** adds a further one. **Check " +
      "only** shows every fault with its line; **Register and plan a run** stores the recipe as a revision.",
    "**Run a sample**, and look at its rows, checks and rejected cells.",
    "**Review and approve** shows what is read, made and published, and what changed since the last approval.",
    "**Approve and make current**: use keys of your workspace read it. An owner publishes it to everybody on the " +
      "same page, or later on the dataset’s page.",
  ),
  h2("agent", "By an agent"),
  text(
    "[Connect an agent](/docs/connect) with the right to build, and tell it what you want; it reads the build " +
      "guide by itself. The same guide is a skill, which `parquetry skill install` writes beside the one for reading.",
  ),
  {
    kind: "code",
    label: "A prompt for your agent",
    language: "text",
    code:
      "Build a dataset of river levels from https://data.example.org/levels.csv with Parquetry.\n" +
      "Leave out the total, check that levels are between 0 and 2,000 cm, state the licence as the office does,\n" +
      "and show me the sample before you approve it.",
  },
  text(
    "It calls `create_dataset`, `register_recipe`, `confirm_run`, `query_run`, `approve_full_run` and " +
      "`promote_table`. What a connection may approve by itself stays private; the first publication always takes an " +
      "owner in the browser, whom the agent shows the address of the page. On the page of a dataset’s recipe, an " +
      "owner can require a person’s approval for every new recipe.",
  ),
  h2("command-line", "By the command line"),
  text(
    `Sign in once with \`parquetry login --url ${base} --build\`, which asks for the right to build. Then, in a ` +
      "shell:",
  ),
  ...BY_COMMAND_LINE.map((sample) => samples(sample.label, sample)),
  h2("curl", "With curl"),
  text(
    "The connector is plain HTTP: one request, one JSON reply. `PARQUETRY_TOKEN` is the access token of an OAuth " +
      "connection with `datasets:build`, or the credential that `parquetry login --build` stored.",
  ),
  ...BY_CURL.map((sample) => samples(sample.label, sample)),
  h2("afterwards", "Afterwards"),
  list(
    "**A change** is another revision: `recipe push` again. The approval page says what it changes, and a new host " +
      "or a weaker check stands out.",
    "**The next run** of an approved recipe needs no approval: `parquetry build start`. Identical rows make no new " +
      "version.",
    "**Readers** see [how each version was built](/docs/versions#lineage): sources with the SHA-256 of their bytes, " +
      "recipe, run and checks.",
    "**Secrets** never stand in a recipe: a person stores them under [Settings, Secrets](/settings/secrets) with the " +
      "hosts that they may be sent to, and a source names them as `credential`.",
  ),
];
