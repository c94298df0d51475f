import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields, orUndefined } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { firstRecipe } from "@/components/studio/first-recipe";
import { inspectedRecipe } from "@/components/studio/inspected-recipe";
import { InspectionFindings } from "@/components/studio/inspection-findings";
import { RecipeEditor } from "@/components/studio/recipe-editor";
import { recipeText } from "@/components/studio/recipe-text";
import { RevisionList } from "@/components/studio/revision-list";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-words";
import { Button } from "@/components/ui/button";
import { PageSection } from "@/components/ui/page-section";
import { getSourceInspection } from "@/lib/operations/build/inspect-source";
import { listRevisions } from "@/lib/operations/build/list-revisions";
import { getMyDataset } from "@/lib/operations/build/own-datasets";
import { execute } from "@/lib/operations/execute";
import type { InspectionReply } from "@/lib/schemas/inspection";

export const metadata: Metadata = { title: "Recipe" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

/** The editor of a dataset's recipe; what is registered is its next revision. `?revision=` opens an older one. */
export default async function RecipePage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { error, wait, revision: wanted, address, upload, inspection } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}/recipe`);
  if (!studio) return <Missing />;
  const { ctx, workspace } = studio;
  const { slug, title } = studio.found.dataset;
  const path = { workspace_id: workspace.id, dataset: slug };
  const opened = wanted === undefined ? studio.found : await openRevision(studio, wanted);
  if (!opened) return <Missing />;
  const found = inspection === undefined ? undefined : await readInspection(studio, inspection);
  const { revisions } = await execute(listRevisions, { path }, ctx);
  const page = `/studio/${slug}`;
  return (
    <StudioPage
      title="Recipe"
      trail={[
        { href: "/studio", label: "Studio" },
        { href: page, label: title },
      ]}
      intro={<Intro open={opened.revision?.number} newest={revisions[0]?.number} page={page} />}
      problem={studioProblem(error, wait)}
    >
      <noscript>
        <p className="mt-4 rounded-md bg-surface px-3.5 py-2.5 text-sm">
          JavaScript is required to register a recipe here. Without it this page is read-only.
        </p>
      </noscript>
      {found && (
        <PageSection id="found" title="What was found">
          <InspectionFindings found={found} now={ctx.now()} />
        </PageSection>
      )}
      <div className="mt-6 max-w-4xl">
        <RecipeEditor
          key={`${opened.revision?.number ?? 0} ${found?.state ?? ""}`}
          path={`/api/v2/build/workspaces/${workspace.id}/datasets/${studio.found.dataset.id}/recipe`}
          page={page}
          text={textOf(opened.recipe, found, { title, address, upload })}
        />
      </div>
      {revisions.length > 0 && (
        <PageSection id="revisions" title="Revisions">
          <div className="max-w-4xl">
            <RevisionList revisions={revisions} page={page} open={opened.revision?.number ?? 0} now={ctx.now()} />
          </div>
        </PageSection>
      )}
      {revisions.length > 0 && <Readers studio={studio} />}
    </StudioPage>
  );
}

/** What an inspection found so far; undefined for an unknown one. */
const readInspection = ({ ctx, workspace }: FoundDataset, id: string) => {
  const path = { workspace_id: workspace.id, inspection_id: id };
  return orUndefined(() => execute(getSourceInspection, { path, query: { wait_ms: 0 } }, ctx));
};

type Begin = { title: string; address: string | undefined; upload: string | undefined };

/** What the editor begins with: the stored document, what an inspection proposes, or an example. */
function textOf(recipe: unknown, found: InspectionReply | undefined, { title, ...begin }: Begin): string {
  if (recipe !== undefined) return recipeText(recipe);
  return found?.source ? inspectedRecipe(found, title) : firstRecipe(begin);
}

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
}

function Intro({ open, newest, page }: IntroProps) {
  return (
    <p>
      {open !== undefined && open !== newest && (
        <>
          This is revision {open}.{" "}
          <Link href={`${page}/recipe`} prefetch={false} className="link">
            Open the newest, {newest}
          </Link>
          .{" "}
        </>
      )}
      What is registered becomes the next revision. Every key is in the{" "}
      <Link href="/docs/recipes" prefetch={false} className="link">
        recipe reference
      </Link>
      . Never put secrets into it: store them under{" "}
      <Link href="/settings/secrets" prefetch={false} className="link">
        Settings, Secrets
      </Link>
      , and name them as credential.
    </p>
  );
}

/** Whether readers of the dataset see the recipe. */
function Readers({ studio }: { studio: FoundDataset }) {
  const { slug, shows_recipe: isShown } = studio.found.dataset;
  const fields = formFields(studio, { form: "show_recipe", dataset: slug, shows_recipe: isShown ? "no" : "yes" });
  return (
    <PageSection id="readers" title="What readers see">
      <StudioForm fields={fields} className="max-w-3xl space-y-3 text-sm">
        <p>
          {isShown
            ? "Readers of the dataset see the recipe of each published version, as its proof. Names of credentials, " +
              "and sources that are not listed, are left out."
            : "Readers see the sources, digests and results of checks, and not the recipe."}
        </p>
        <Button type="submit">{isShown ? "Hide the recipe from readers" : "Show the recipe to readers"}</Button>
      </StudioForm>
    </PageSection>
  );
}
