import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import {
  datasetContext,
  type FoundDataset,
  formFields,
  orUndefined,
  type StudioDataset,
} from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { workspaceAddress } from "@/components/settings/workspace-address";
import { firstRecipe } from "@/components/studio/first-recipe";
import { InspectionFindings } from "@/components/studio/inspection-findings";
import { PlanNotice } from "@/components/studio/plan-notice";
import { RecipeEditor } from "@/components/studio/recipe-editor";
import { RevisionList } from "@/components/studio/revision-list";
import { SourceFields } from "@/components/studio/source-fields";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-text";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { RECIPE_SCHEMA_PATH } from "@/lib/builds/json-schema";
import { inspectedParts, inspectedRecipe } from "@/lib/describe/inspected-recipe";
import { recipeText } from "@/lib/describe/recipe-text";
import { shownFormReply } from "@/lib/http/form-reply";
import type { FormFields } from "@/lib/http/form-token";
import { env } from "@/lib/kernel/env";
import { getMyDataset } from "@/lib/operations/datasets/own-datasets";
import { execute } from "@/lib/operations/execute";
import { listRevisions } from "@/lib/operations/recipes/list-revisions";
import { getSourceInspection } from "@/lib/operations/sources/inspect-source";
import { listInspections } from "@/lib/operations/sources/list-inspections";
import type { InspectionReply } from "@/lib/schemas/inspection";

export const metadata: Metadata = { title: "Recipe" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

/**
 * The editor of a dataset's recipe, which is only shown when the plan has ended. Registering creates the next revision;
 * `?revision=` opens an older one.
 */
export default async function RecipePage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { error, wait, revision: wanted, inspection, reply, ...begin } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}/recipe`);
  if (!studio) return <Missing />;
  const { ctx, account, workspace } = studio;
  const { slug, title } = studio.found.dataset;
  const isActive = workspace.subscription_active;
  const path = { workspace_id: workspace.id, dataset: slug };
  const opened = wanted === undefined ? studio.found : await openRevision(studio, wanted);
  if (!opened) return <Missing />;
  const looks = await readInspections(studio, inspection);
  const latest = inspection === undefined && opened.revision ? undefined : looks.at(-1);
  const { revisions } = await execute(listRevisions, { path }, ctx);
  const page = `/studio/${slug}`;
  return (
    <StudioPage
      title="Recipe"
      trail={[
        { href: "/studio", label: "Studio" },
        { href: page, label: title },
      ]}
      intro={<Intro open={opened.revision?.number} newest={revisions[0]?.number} page={page} isActive={isActive} />}
      problem={studioProblem(error, wait)}
    >
      <PlanNotice
        workspace={workspace}
        planHref={workspaceAddress("/settings/workspace", workspace, account.workspaces)}
        support={env().PARQUETRY_SUPPORT}
      />
      <Faults reply={reply} ctx={ctx} />
      {latest && (
        <PageSection id="found" title="What was found" aside={readOf(latest)}>
          <InspectionFindings found={latest} now={ctx.now()} />
          <Parts looks={looks} isFirst={!opened.revision && looks.length === 1} />
        </PageSection>
      )}
      {isActive ? (
        <Editor studio={studio} opened={opened} looks={looks} latest={latest} begin={begin} />
      ) : (
        <Shown recipe={opened.recipe} />
      )}
      {revisions.length > 0 && (
        <PageSection id="revisions" title="Revisions">
          <div className="max-w-4xl">
            <RevisionList revisions={revisions} page={page} open={opened.revision?.number ?? 0} now={ctx.now()} />
          </div>
        </PageSection>
      )}
      {revisions.length > 0 && <Readers studio={studio} />}
      <Approval studio={studio} />
    </StudioPage>
  );
}

/** Problems of a recipe that was sent without JavaScript; its text is still in the browser's history. */
async function Faults({ reply, ctx }: { reply: string | undefined; ctx: Context }) {
  const jar = await cookies();
  const { problem } = shownFormReply(reply, personOf(ctx).id, (name) => jar.get(name)?.value) ?? {};
  if (!problem) return null;
  const faults = problem.details.length > 0 ? problem.details : [{ pointer: "", message: problem.message }];
  return (
    <div className="mt-4 max-w-4xl">
      <Notice tone="danger" title="This recipe has problems">
        <ul className="space-y-1.5">
          {faults.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`} className="wrap-anywhere">
              {message} <code className="font-mono text-[0.75rem] text-muted">{pointer}</code>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

/** The inspections of this dataset's sources, oldest first; the one in the URL last. */
async function readInspections({ ctx, workspace, found }: FoundDataset, id: string | undefined) {
  const path = { workspace_id: workspace.id };
  const { inspections } = await execute(listInspections, { path: { ...path, dataset: found.dataset.slug } }, ctx);
  if (id === undefined) return inspections;
  const given = { path: { ...path, inspection_id: id }, query: { wait_ms: 0 } };
  const wanted = await orUndefined(() => execute(getSourceInspection, given, ctx));
  return [...inspections.filter(({ inspection_id }) => inspection_id !== id), ...(wanted ? [wanted] : [])];
}

interface EditorProps {
  studio: FoundDataset;
  opened: StudioDataset;
  looks: readonly InspectionReply[];
  latest: InspectionReply | undefined;
  begin: Parameters<typeof firstRecipe>[0];
}

function Editor({ studio, opened, looks, latest, begin }: EditorProps) {
  const { id, slug, title } = studio.found.dataset;
  const revision = opened.revision?.number ?? 0;
  return (
    <>
      <div className="mt-6 max-w-4xl">
        <RecipeEditor
          key={`${revision} ${latest?.inspection_id} ${latest?.state}`}
          path={`/api/v2/build/workspaces/${studio.workspace.id}/datasets/${id}/recipe`}
          fields={formFields(studio, { form: "register", dataset: slug })}
          page={`/studio/${slug}`}
          revision={revision}
          schemaPath={RECIPE_SCHEMA_PATH}
          columns={foundColumns(looks)}
          text={opened.recipe === undefined ? beginning(looks, title, begin) : recipeText(opened.recipe)}
        />
      </div>
      <AnotherSource studio={studio} isFirst={looks.length === 0 && !opened.revision} />
    </>
  );
}

/** The names of columns that inspections found, each once. */
const foundColumns = (looks: readonly InspectionReply[]): string[] => [
  ...new Set(looks.flatMap(({ columns = [] }) => columns.map(({ name }) => name))),
];

/** A recipe that cannot be changed, since the plan has ended. */
const Shown = ({ recipe }: { recipe: StudioDataset["recipe"] }) => (
  <div className="mt-6 max-w-4xl">
    {recipe === undefined ? (
      <p className="text-muted">No recipe yet.</p>
    ) : (
      <CodeBlock code={recipeText(recipe)} language="text" label="Recipe, as YAML" />
    )}
  </div>
);

/** The editor's initial text: what inspections propose, or an example. */
function beginning(looks: readonly InspectionReply[], title: string, begin: Parameters<typeof firstRecipe>[0]): string {
  const proposed = looks.filter(({ source }) => source !== undefined);
  return proposed.length > 0 ? inspectedRecipe(proposed, title) : firstRecipe(begin);
}

/** The URL, upload or package that was inspected. */
const readOf = ({ source }: InspectionReply): string | undefined =>
  ["url", "upload", "package"].flatMap((key) => (typeof source?.[key] === "string" ? [source[key]] : []))[0];

/** The newest proposal, for a dataset that already has a recipe. */
function Parts({ looks, isFirst }: { looks: readonly InspectionReply[]; isFirst: boolean }) {
  const latest = looks.at(-1);
  if (isFirst || !latest?.source) return null;
  const at = looks.filter(({ source }) => source !== undefined).length - 1;
  return (
    <details className="mt-5 max-w-4xl text-sm">
      <summary className="cursor-pointer font-medium">As YAML, to copy into a recipe</summary>
      <div className="mt-3">
        <CodeBlock code={inspectedParts(latest, at)} language="text" label="YAML" />
      </div>
    </details>
  );
}

/** A form that inspects another source; the text in the editor is kept. */
const AnotherSource = ({ studio, isFirst }: { studio: FoundDataset; isFirst: boolean }) => (
  <details className="mt-8 max-w-xl">
    <summary className="cursor-pointer font-medium">{isFirst ? "Inspect a source" : "Inspect another source"}</summary>
    <StudioForm
      fields={formFields(studio, { form: "inspect", dataset: studio.found.dataset.slug })}
      className="mt-4 space-y-5"
    >
      <SourceFields note="Your text in the editor is kept." />
      <p className="text-muted text-xs">
        Tables of this service don’t need to be inspected. A source of kind table names one as dataset/table, and a step
        of kind join takes its columns.
      </p>
      <Button type="submit">Inspect</Button>
    </StudioForm>
  </details>
);

/** The dataset with one of its revisions; undefined for a number that it does not have. */
async function openRevision({ ctx, workspace, found }: FoundDataset, wanted: string) {
  const number = Number(wanted);
  if (!Number.isInteger(number) || number < 1) return undefined;
  const path = { workspace_id: workspace.id, dataset: found.dataset.slug };
  return orUndefined(() => execute(getMyDataset, { path, query: { recipe: true, revision: number } }, ctx));
}

interface IntroProps {
  open: number | undefined;
  newest: number | undefined;
  page: string;
  isActive: boolean;
}

function Intro({ open, newest, page, isActive }: IntroProps) {
  return (
    <p>
      {open !== undefined && open !== newest && (
        <>
          This is revision {open}.{" "}
          <Link href={`${page}/recipe`} prefetch={false} className="link">
            Open the newest ({newest})
          </Link>
          .{" "}
        </>
      )}
      {isActive && "Registering creates the next revision. "}All keys are described in the{" "}
      <Link href="/docs/recipes" prefetch={false} className="link">
        recipe reference
      </Link>
      .{" "}
      {isActive && (
        <>
          Never put secrets in a recipe. Store them under{" "}
          <Link href="/settings/secrets" prefetch={false} className="link">
            Settings, Secrets
          </Link>{" "}
          and refer to them by name in <code className="font-mono text-ink">credential</code>.
        </>
      )}
    </p>
  );
}

/** Whether readers of the dataset see the recipe. */
function Readers({ studio }: { studio: FoundDataset }) {
  const { slug, shows_recipe: isShown } = studio.found.dataset;
  return (
    <PageSection id="readers" title="What readers see">
      <Setting
        studio={studio}
        fields={{ form: "show_recipe", dataset: slug, shows_recipe: isShown ? "no" : "yes" }}
        state={
          isShown
            ? "Readers see the recipe of each published version as evidence of how it was made. Credential names and " +
              "unlisted sources are left out."
            : "Readers see the sources, digests and check results, but not the recipe."
        }
        change={isShown ? "Hide the recipe from readers" : "Show the recipe to readers"}
      />
    </PageSection>
  );
}

/** For owners: whether an agent may approve recipes of the dataset. */
function Approval({ studio }: { studio: FoundDataset }) {
  if (studio.workspace.role !== "owner") return null;
  const { slug, approval_policy: policy } = studio.found.dataset;
  const other = policy === "person" ? "agent_private" : "person";
  return (
    <PageSection id="approval" title="Who approves">
      <Setting
        studio={studio}
        fields={{ form: "approval_policy", dataset: slug, approval_policy: other }}
        state={
          policy === "person"
            ? "A person approves every new recipe of this dataset."
            : "An agent may approve a new recipe as long as the result stays private or the change is safe."
        }
        change={policy === "person" ? "Let agents approve as well" : "Always ask a person"}
      />
    </PageSection>
  );
}

interface SettingProps {
  studio: FoundDataset;
  fields: FormFields;
  state: string;
  change: string;
}

/** How something is set, and the button that changes it, unless the plan has ended. */
const Setting = ({ studio, fields, state, change }: SettingProps) =>
  studio.workspace.subscription_active ? (
    <StudioForm fields={formFields(studio, fields)} className="max-w-3xl space-y-3 text-sm">
      <p>{state}</p>
      <Button type="submit">{change}</Button>
    </StudioForm>
  ) : (
    <p className="max-w-3xl text-sm">{state}</p>
  );
