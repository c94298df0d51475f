import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields } from "@/app/studio/studio-context";
import { ChangeQuestion } from "@/components/studio/change-question";
import { ReleaseChanges } from "@/components/studio/release-changes";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-words";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { getRun } from "@/lib/operations/build/get-run";
import { listReleases, type TableWithReleases } from "@/lib/operations/build/list-releases";
import { execute } from "@/lib/operations/execute";

export const metadata: Metadata = { title: "Change" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

type Release = TableWithReleases["releases"][number] & { slug: string; title: string };

interface Question {
  title: string;
  facts: readonly string[];
  choices: Parameters<typeof ChangeQuestion>[0]["choices"];
  /** Whether members who are not owners may do it too. */
  isForMembers?: true;
  /** The versions of a run that become current, whose difference from the current ones is shown. */
  becomes?: readonly Release[];
}

/** Asks before anything that others see is changed: what it would change, and a button. Works without JavaScript. */
export default async function ChangePage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { do: name = "", version, run, error, wait } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}`);
  const releases = studio && (await releasesOf(studio));
  const ask = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name as keyof typeof QUESTIONS] : undefined;
  const isPaid = studio?.workspace.subscription_active === true;
  const question: Question | undefined =
    studio && releases && ask && isPaid ? ask(studio, releases, version ?? run ?? "") : undefined;
  if (!studio || !question) return <Missing />;
  const { slug, title } = studio.found.dataset;
  const page = `/studio/${slug}`;
  const mayDo = question.isForMembers || studio.workspace.role === "owner";
  return (
    <StudioPage
      title={question.title}
      trail={[
        { href: "/studio", label: "Studio" },
        { href: page, label: title },
      ]}
      problem={studioProblem(error, wait)}
    >
      <ChangeQuestion facts={question.facts} choices={mayDo ? question.choices : []} back={page} />
      {!mayDo && (
        <div className="mt-5 max-w-3xl">
          <Notice>Only an owner of the workspace can do this.</Notice>
        </div>
      )}
      {question.becomes && <Difference studio={studio} releases={question.becomes} />}
    </StudioPage>
  );
}

async function releasesOf({ ctx, workspace, found }: FoundDataset): Promise<Release[]> {
  const path = { workspace_id: workspace.id, dataset: found.dataset.slug };
  const { tables } = await execute(listReleases, { path }, ctx);
  return tables.flatMap(({ slug, title, releases }) => releases.map((release) => ({ ...release, slug, title })));
}

/** How the versions' rows and columns differ from those of the current ones. */
async function Difference({ studio, releases }: { studio: FoundDataset; releases: readonly Release[] }) {
  const path = { workspace_id: studio.workspace.id, run_id: releases[0]?.run_id ?? "" };
  const run = await execute(getRun, { path, query: { wait_ms: 0 } }, studio.ctx);
  const tables = run.differences?.filter(({ table }) => releases.some(({ slug }) => slug === table)) ?? [];
  return (
    <PageSection id="difference" title="Compared with the current release">
      <ReleaseChanges view={{ run, release_differences: tables }} />
    </PageSection>
  );
}

/** `id`: of the version or run that it is about. */
type Ask = (studio: FoundDataset, releases: readonly Release[], id: string) => Question | undefined;

const isWithdrawn = ({ found }: FoundDataset): boolean => found.dataset.visibility === "withdrawn";

const sealedOn = ({ sealed_at, rows }: Release): string =>
  `sealed on ${sealed_at.slice(0, 16).replace("T", " at ")} UTC with ${formatPlural(rows, "row")}`;

const currentOf = (releases: readonly Release[], slug?: string): readonly Release[] =>
  releases.filter((release) => release.current && (slug === undefined || release.slug === slug));

const tableList = (releases: readonly Release[]): string =>
  releases.map(({ slug, rows }) => `${slug} (${formatCount(rows)} rows)`).join(", ");

const QUESTIONS = {
  promote(studio, releases, version) {
    const release = releases.find(({ version_id }) => version_id === version);
    if (!release || release.withdrawn || release.current || isWithdrawn(studio)) return undefined;
    const [current] = currentOf(releases, release.slug);
    const { slug, visibility } = studio.found.dataset;
    const isOlder = release.published;
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
    const fields = formFields(studio, { form: "promote", dataset: slug, version_id: version });
    const label = isOlder ? "Roll back to this version" : "Make it current";
    return {
      title: isOlder ? "Roll back?" : "Make this version current?",
      ...{ facts, choices: [{ fields, label, look: "primary" }], isForMembers: true, becomes: [release] },
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
          label: "Make it current",
          look: "primary",
        },
      ],
      isForMembers: true,
      becomes: sealed,
    };
  },
  withdraw_version(studio, releases, version) {
    const release = releases.find(({ version_id }) => version_id === version);
    if (!release || release.withdrawn) return undefined;
    const { slug } = studio.found.dataset;
    const facts = [
      `${release.title}: the version ${sealedOn(release)} is withdrawn for good.`,
      "Everybody who asks for it gets 410 with your reason. Its record, id and digest remain.",
      release.current
        ? "It is current. The one that was current before becomes so again; without one, the table is not found."
        : "It is not current, so nothing else changes.",
    ];
    const inputs = (
      <label className="block max-w-xl text-sm">
        <span className="mb-1 block font-medium">Reason, shown to everyone who asks for the version</span>
        <input className="field w-full" name="reason" required maxLength={500} />
      </label>
    );
    const fields = formFields(studio, { form: "withdraw_version", dataset: slug, version_id: version });
    return {
      title: "Withdraw this version?",
      ...{ facts, choices: [{ fields, label: "Withdraw the version", look: "danger", inputs }] },
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
      choices: [{ ...moveTo(studio, "public"), label: "Publish to everyone", look: "primary" }],
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
      choices: [{ ...moveTo(studio, "withdrawn"), label: "Withdraw the dataset", look: "danger" }],
      isForMembers: true,
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
        { ...moveTo(studio, "private"), label: "Restore to the workspace", look: "primary" },
        ...(current.length > 0 ? [{ ...moveTo(studio, "public"), label: "Restore to everyone" }] : []),
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
          fields: formFields(studio, { form: "activate", dataset: slug }),
          label: "Activate all tables",
          look: "primary",
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
          label: "Deactivate all tables",
          look: "danger",
        },
      ],
    };
  },
} as const satisfies Record<string, Ask>;

const moveTo = (studio: FoundDataset, visibility: "public" | "private" | "withdrawn") => ({
  fields: formFields(studio, { form: "visibility", dataset: studio.found.dataset.slug, visibility }),
});
