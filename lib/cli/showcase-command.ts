import { type Command, Option } from "commander";
import { log } from "@/lib/http/log";
import { fillCatalogue } from "@/lib/showcase/first-fill";
import { fillText } from "@/lib/store/fill-progress";
import { closeJobs } from "@/lib/store/runs/jobs";
import { replayVersion } from "@/lib/worker/replay-version";
import { switchShowcaseRefreshes } from "@/lib/worker/showcase-refreshes";
import { report } from "./output";

const MORE = `
The datasets that recipes build remain as installed until --refresh on. Then a worker reads their packages from
PACKAGE_REGISTRY every week or day, and new releases become new versions.

  parquetry showcase --refresh on`;

/** `showcase`. */
export function addShowcaseCommand(program: Command): void {
  program
    .command("showcase")
    .description("Publishes the showcase datasets. Existing datasets are not changed.")
    .addOption(
      new Option(
        "--refresh <state>",
        "only turn reading the registry on or off, for the datasets that recipes build",
      ).choices(["on", "off"]),
    )
    .addHelpText("after", MORE)
    .action(({ refresh }: { refresh?: "on" | "off" }) => (refresh ? switchRefreshes(refresh) : fill()));
}

async function fill(): Promise<void> {
  const onError = (err: unknown) => log().error({ err }, "showcase");
  try {
    await fillCatalogue(
      (progress) => report(fillText(progress)),
      (version) => replayVersion(version, { now: () => new Date(), onError }),
    );
  } finally {
    await closeJobs();
  }
}

async function switchRefreshes(to: "on" | "off"): Promise<void> {
  const slugs = await switchShowcaseRefreshes(to, new Date());
  report(
    slugs.length > 0
      ? `Refreshes ${to}: ${slugs.join(", ")}`
      : `Nothing to change: no refresh was ${to === "on" ? "paused" : "on"}.`,
  );
}
