import { type DocContent, h2, list, note, samples, text } from "@/lib/docs/doc";
import { BY_COMMAND_LINE, BY_CURL, LEVELS } from "@/lib/docs/samples/build";

export const build: DocContent = ({ place: { base } }) => [
  text(
    "From a URL to a documented, checked table with immutable versions, without code. You or an agent write a " +
      "[recipe](/docs/recipes); a run tries it on a sample, you approve exactly what you saw, and the full run seals " +
      "a version that nobody else sees until it is made current.",
  ),
  note(
    "Building requires a workspace on the paid plan, which an owner chooses under [Settings, " +
      "Workspace](/settings/workspace). Reading does not.",
  ),
  h2("source", "The source"),
  text(
    "This is what an office publishes: its own column names, points as thousands separators and commas as decimal " +
      "separators, dates as people write them, and a total that is not a gauge.",
  ),
  { kind: "code", label: "levels.csv", language: "text", code: LEVELS.trimEnd() },
  h2("browser", "In the browser"),
  list(
    "In the [studio](/studio), choose **New dataset** and enter a title and the URL of the source, or a file of an " +
      "npm package. Store a file of your own under **Uploads** first; **New dataset** next to it starts with what is " +
      "found in the file. Send large files with `parquetry upload FILE`, which resumes after a broken connection.",
    "Complete the recipe, which starts with what was found. **Inspect another source** adds another one. **Check " +
      "only** shows every fault with its line; **Register and plan a run** stores the recipe as a revision.",
    "**Run a sample**, and look at its rows, checks and rejected cells.",
    "**Review and approve** shows what is read, produced and published, and what changed since the last approval.",
    "After **Approve and make current**, use keys of your workspace can read it. An owner can publish it to " +
      "everybody on the same page, or later on the dataset’s page.",
  ),
  h2("agent", "By an agent"),
  text(
    "[Connect an agent](/docs/connect) with the right to build, and tell it what you want; it reads the build guide " +
      "on its own. The guide is also a skill, which `parquetry skill install` installs along with the one for reading.",
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
      "`promote_table`. What a connection may approve on its own remains private. The first publication always " +
      "requires an owner in the browser; the agent shows them the URL of the page. On the recipe page of a dataset, " +
      "an owner can require a person’s approval for every new recipe.",
  ),
  h2("command-line", "From the command line"),
  text(
    `Sign in once with \`parquetry login --url ${base} --build\`, which requests the right to build. Then, in a shell:`,
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
    "**To change** a recipe, push another revision with `recipe push`. The approval page shows what it changes and " +
      "highlights new hosts and weaker checks.",
    "**The next run** of an approved recipe needs no approval: `parquetry build start`. Identical rows make no new " +
      "version.",
    "**Readers** see [how each version was built](/docs/versions#lineage): sources with the SHA-256 of their bytes, " +
      "recipe, run and checks.",
    "**Secrets** are never part of a recipe: a person stores them under [Settings, Secrets](/settings/secrets) with " +
      "the hosts that they may be sent to, and a source refers to them in `credential`.",
  ),
];
