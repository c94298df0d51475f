import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { formFields, studioContext } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { PlanNeeded } from "@/components/studio/plan-notice";
import { SourceFields } from "@/components/studio/source-fields";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-text";
import { Button } from "@/components/ui/button";
import { execute } from "@/lib/operations/execute";
import { listUploads } from "@/lib/operations/sources/uploads";

export const metadata: Metadata = { title: "New dataset" };

/** A title first; the recipe is written on the next page. */
export default async function NewDatasetPage({ searchParams }: { searchParams: SearchParams }) {
  const { error, wait, upload } = await singleValues(searchParams);
  const studio = await studioContext("/studio/new", searchParams);
  if (!studio) return <Missing />;
  const { ctx, workspace } = studio;
  const { uploads } = await execute(listUploads, { path: { workspace_id: workspace.id } }, ctx);
  return (
    <StudioPage
      title="New dataset"
      trail={[{ href: `/studio?workspace=${workspace.id}`, label: "Studio" }]}
      intro={`It is private to ${workspace.name} until an owner publishes it.`}
      problem={studioProblem(error, wait)}
    >
      {workspace.subscription_active ? (
        <StudioForm
          fields={formFields(studio, { form: "create", ...(upload !== undefined && { upload }) })}
          className="mt-8 max-w-xl space-y-5"
        >
          <label className="block">
            <span className="mb-1 block font-medium text-sm">Title</span>
            <input type="text" name="title" required maxLength={200} autoComplete="off" className="field" />
            <span className="mt-1 block text-muted text-xs">
              What the data is about, such as “Unemployed persons by municipality”. The dataset’s URL is derived from
              it.
            </span>
          </label>
          {upload === undefined ? (
            <>
              <SourceFields note={<UploadsNote uploads={`/studio/new/uploads?workspace=${workspace.id}`} />} />
              <UploadLinks names={newestOf(uploads)} page={`/studio/new?workspace=${workspace.id}`} />
            </>
          ) : (
            <p className="text-sm">The source is the upload {upload}.</p>
          )}
          <Button type="submit" look="primary">
            Create and write a recipe
          </Button>
        </StudioForm>
      ) : (
        <PlanNeeded href={`/settings/workspace?workspace=${workspace.id}`} />
      )}
    </StudioPage>
  );
}

const UPLOADS_SHOWN = 20;

const newestOf = (uploads: readonly { name: string; current: boolean }[]): string[] =>
  uploads
    .filter(({ current }) => current)
    .slice(0, UPLOADS_SHOWN)
    .map(({ name }) => name);

const UploadsNote = ({ uploads }: { uploads: string }) => (
  <>
    Optional: you can add it later. To use your own file, upload it under{" "}
    <Link href={uploads} prefetch={false} className="link">
      Uploads
    </Link>{" "}
    first.
  </>
);

/** Links, because each upload is a field that the form's proof covers. */
function UploadLinks({ names, page }: { names: readonly string[]; page: string }) {
  if (names.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">Or start with an upload</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {names.map((name) => (
          <li key={name} className="wrap-anywhere">
            <Link href={`${page}&upload=${encodeURIComponent(name)}`} prefetch={false} className="link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
