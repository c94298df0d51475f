import { type FoundDataset, formFields } from "@/app/studio/studio-context";
import type { ChangeQuestion } from "@/components/studio/change-question";
import { goesBack } from "@/components/studio/table-releases";
import { currentField } from "@/lib/http/form-token";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { DatasetEvent, Visibility } from "@/lib/operations/datasets/dataset-events";
import type { TableWithReleases } from "@/lib/operations/releases/list-releases";

export type Release = TableWithReleases["releases"][number] & Omit<TableWithReleases, "releases">;

/** A button with its form, and the event that it causes. */
export type Choice = Parameters<typeof ChangeQuestion>[0]["choices"][number] & {
  event: DatasetEvent;
  chosen?: Visibility;
};

export interface Question {
  title: string;
  facts: readonly string[];
  choices: readonly Choice[];
  /** The versions of a run that become current, whose difference from the current ones is shown. */
  becomes?: readonly Release[];
}

/** `id`: of the version or run that it is about. */
type Ask = (studio: FoundDataset, releases: readonly Release[], id: string) => Question | undefined;

const isWithdrawn = ({ found }: FoundDataset): boolean => found.dataset.visibility === "withdrawn";

const sealedOn = ({ sealed_at, rows }: Release): string =>
  `sealed on ${sealed_at.slice(0, 16).replace("T", " at ")} UTC with ${formatPlural(rows, "row")}`;

const currentOf = (releases: readonly Release[], slug?: string): readonly Release[] =>
  releases.filter((release) => release.current && (slug === undefined || release.slug === slug));

/** The versions that the person sees as current, as a form has them. */
const idsOf = (releases: readonly Release[]): string => currentField(releases.map(({ version_id }) => version_id));

/** What happens to a table whose current version is withdrawn. */
function followedBy(after: string | null, releases: readonly Release[]): string {
  if (after === null) return "It is current, and no other was before it: the table will not be found.";
  const release = releases.find(({ version_id }) => version_id === after);
  const version = release ? `the version ${sealedOn(release)}` : `the version ${after}`;
  return `It is current. Instead, ${version} becomes current again.`;
}

const tableList = (releases: readonly Release[]): string =>
  releases.map(({ slug, rows }) => `${slug} (${formatCount(rows)} rows)`).join(", ");

/** What is asked before each change, by the name that an address gives after `do`. */
export const QUESTIONS = {
  promote(studio, releases, version) {
    const release = releases.find(({ version_id }) => version_id === version);
    if (!release || release.withdrawn || release.current || isWithdrawn(studio)) return undefined;
    const [current] = currentOf(releases, release.slug);
    const { slug, visibility } = studio.found.dataset;
    const isOlder = goesBack(release, current);
    const facts = [
      `${release.title}: the version ${sealedOn(release)} becomes current.`,
      current
        ? `It replaces the version ${sealedOn(current)}, which stays readable by its id.`
        : "Nothing is current yet.",
      visibility === "public" ? "Everyone reads it from the next request on." : "The dataset stays private.",
      ...(isOlder
        ? ["It stays current until somebody makes another version current: refreshes do not replace it."]
        : []),
    ];
    const about = { form: "promote", dataset: slug, version_id: version, current: idsOf(current ? [current] : []) };
    const label = isOlder ? "Roll back to this version" : "Make it current";
    return {
      title: isOlder ? "Roll back?" : "Make this version current?",
      choices: [{ fields: formFields(studio, about), label, look: "primary", event: "promote" }],
      ...{ facts, becomes: [release] },
    };
  },
  promote_run(studio, releases, run) {
    const sealed = releases.filter(({ run_id, current, withdrawn }) => run_id === run && !current && !withdrawn);
    if (sealed.length === 0 || isWithdrawn(studio)) return undefined;
    const { slug, visibility } = studio.found.dataset;
    return {
      title: "Make this run’s result current?",
      facts: [
        `Becomes current: ${tableList(sealed)}.`,
        "What is current now stays readable by its version’s id.",
        visibility === "public" ? "Everyone reads it from the next request on." : "The dataset stays private.",
      ],
      choices: [
        {
          fields: formFields(studio, { form: "promote", dataset: slug, run_id: run }),
          ...{ label: "Make it current", look: "primary", event: "promote" },
        },
      ],
      becomes: sealed,
    };
  },
  withdraw_version(studio, releases, version) {
    const release = releases.find(({ version_id }) => version_id === version);
    if (!release || release.withdrawn) return undefined;
    const { slug } = studio.found.dataset;
    const after = release.current ? release.previous : (currentOf(releases, release.slug)[0]?.version_id ?? null);
    const facts = [
      `${release.title}: the version ${sealedOn(release)} is withdrawn for good.`,
      "Everybody who asks for it gets 410 with your reason. Its record, id and digest remain.",
      release.current ? followedBy(after, releases) : "It is not current, so nothing else changes.",
    ];
    const inputs = (
      <label className="block max-w-xl text-sm">
        <span className="mb-1 block font-medium">Reason, shown to everyone who asks for the version</span>
        <input className="field w-full" name="reason" required maxLength={500} />
      </label>
    );
    const about = {
      form: "withdraw_version",
      dataset: slug,
      version_id: version,
      current: currentField(after === null ? [] : [after]),
    };
    return {
      title: "Withdraw this version?",
      facts,
      choices: [
        {
          fields: formFields(studio, about),
          ...{ label: "Withdraw the version", look: "danger", inputs, event: "withdraw_version" },
        },
      ],
    };
  },
  publish(studio, releases) {
    const { dataset } = studio.found;
    const current = currentOf(releases);
    if (dataset.visibility !== "private" || current.length === 0) return undefined;
    return {
      title: `Publish ${dataset.title}?`,
      facts: [
        "Everyone can find, query and download what is current now, and each later release.",
        `Current: ${tableList(current)}.`,
        `Licence: ${dataset.license ?? "none stated"}.`,
        dataset.shows_recipe ? "Readers see its recipe." : "Readers do not see its recipe.",
        "It becomes private again only by withdrawing it, which readers see as not found.",
      ],
      choices: [{ ...moveTo(studio, "publish", "public", current), label: "Publish to everyone", look: "primary" }],
    };
  },
  withdraw(studio, releases) {
    const { dataset, tables } = studio.found;
    if (dataset.visibility === "withdrawn") return undefined;
    const hosted = tables.filter((table) => table.hosted !== null).map(({ slug }) => slug);
    return {
      title: `Withdraw ${dataset.title}?`,
      facts: [
        dataset.visibility === "public"
          ? "Its pages, queries, downloads and citations return 404 from the next request on."
          : "Use keys of the workspace get 404 for it from the next request on.",
        `Current: ${tableList(currentOf(releases)) || "nothing"}. Nothing is deleted.`,
        hosted.length > 0 ? `The hosted URLs of ${hosted.join(", ")} return 404 too.` : "No hosted URL is affected.",
        "An owner can restore it at any time.",
      ],
      choices: [{ ...moveTo(studio, "withdraw", "withdrawn"), label: "Withdraw the dataset", look: "danger" }],
    };
  },
  restore(studio, releases) {
    const { dataset, tables } = studio.found;
    if (dataset.visibility !== "withdrawn") return undefined;
    const isHosted = tables.some((table) => table.hosted !== null);
    const current = currentOf(releases);
    return {
      title: `Restore ${dataset.title}?`,
      facts: [
        `Current: ${tableList(current) || "nothing"}.`,
        "To the workspace: only its members and use keys read it.",
        ...(current.length > 0 ? ["To everyone: its public page, queries and downloads return."] : []),
        ...(isHosted ? ["Its hosted URLs work again in both cases."] : []),
      ],
      choices: [
        { ...moveTo(studio, "restore", "private", current), label: "Restore to the workspace", look: "primary" },
        ...(current.length > 0
          ? [{ ...moveTo(studio, "restore", "public", current), label: "Restore to everyone" }]
          : []),
      ],
    };
  },
  activate(studio, releases) {
    if (isWithdrawn(studio)) return undefined;
    const { slug, title } = studio.found.dataset;
    return {
      title: `Activate ${title}?`,
      facts: [
        "Each table gets its own URL on the hosted table API, the same as before if it had one.",
        "Programs with a live key of the workspace can download the current release there, and each later one.",
        `Current: ${tableList(currentOf(releases)) || "nothing"}.`,
      ],
      choices: [
        {
          fields: formFields(studio, { form: "activate", dataset: slug, current: idsOf(currentOf(releases)) }),
          ...{ label: "Activate all tables", look: "primary", event: "activate" },
        },
      ],
    };
  },
  deactivate(studio) {
    const { dataset, tables } = studio.found;
    const hosted = tables.filter((table) => table.hosted !== null).map(({ slug }) => slug);
    if (hosted.length === 0) return undefined;
    return {
      title: `Deactivate ${dataset.title}?`,
      facts: [
        `The hosted URLs of ${hosted.join(", ")} return 404 at once.`,
        "Tables that are activated again get the same URLs.",
      ],
      choices: [
        {
          fields: formFields(studio, { form: "deactivate", dataset: dataset.slug }),
          ...{ label: "Deactivate all tables", look: "danger", event: "deactivate" },
        },
      ],
    };
  },
} as const satisfies Record<string, Ask>;

const moveTo = (
  studio: FoundDataset,
  event: "publish" | "withdraw" | "restore",
  visibility: Visibility,
  current?: readonly Release[],
) => {
  const about = { form: "visibility", dataset: studio.found.dataset.slug, visibility };
  return {
    fields: formFields(studio, current ? { ...about, current: idsOf(current) } : about),
    ...{ event, chosen: visibility },
  };
};
