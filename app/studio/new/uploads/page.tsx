import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { formFields, type StudioContext, studioContext } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { PlanNeeded } from "@/components/studio/plan-notice";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-text";
import { UnfinishedList, UploadList } from "@/components/studio/upload-list";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { UPLOAD_FORM_PATH } from "@/lib/http/page-forms";
import { env } from "@/lib/kernel/env";
import { formatBytes } from "@/lib/kernel/format";
import { execute } from "@/lib/operations/execute";
import { listUploads } from "@/lib/operations/sources/uploads";

export const metadata: Metadata = { title: "Uploads" };

/** The files that a workspace's recipes can read, and a form to upload another. */
export default async function UploadsPage({ searchParams }: { searchParams: SearchParams }) {
  const { error, wait, stored, unchanged, deleted, removed } = await singleValues(searchParams);
  const studio = await studioContext("/studio/new/uploads", searchParams);
  if (!studio) return <Missing />;
  const { ctx, workspace } = studio;
  const listed = await execute(listUploads, { path: { workspace_id: workspace.id } }, ctx);
  const { uploads, unfinished, bytes, bytes_max } = listed;
  const fieldsOf = ({ name, content_digest }: { name: string; content_digest: string }) =>
    formFields(studio, { form: "delete_upload", upload: name, digest: content_digest });
  return (
    <StudioPage
      title="Uploads"
      trail={[{ href: `/studio?workspace=${workspace.id}`, label: "Studio" }]}
      intro={
        <p>
          Files that recipes of {workspace.name} can read by name. {formatBytes(bytes)} of {formatBytes(bytes_max)} is
          used.
        </p>
      }
      problem={studioProblem(error, wait)}
    >
      <Done stored={stored} unchanged={unchanged} deleted={deleted} removed={removed} />
      {workspace.subscription_active ? (
        <UploadForm studio={studio} />
      ) : (
        <div className="mt-8">
          <PlanNeeded href={`/settings/workspace?workspace=${workspace.id}`} />
        </div>
      )}
      <div className="mt-10">
        <UploadList files={uploads} workspaceId={workspace.id} fieldsOf={fieldsOf} now={ctx.now()} />
      </div>
      {unfinished.length > 0 && (
        <PageSection id="unfinished" title="Unfinished uploads">
          <p className="mb-4 max-w-3xl text-muted text-sm">
            Files sent in parts, with some parts missing. Run the same <code>parquetry upload FILE</code> again to
            continue. They count with their full size and are deleted two days after their last part.
          </p>
          <UnfinishedList
            files={unfinished}
            fieldsOf={({ content_digest: digest }) => formFields(studio, { form: "delete_unfinished", digest })}
            now={ctx.now()}
          />
        </PageSection>
      )}
    </StudioPage>
  );
}

type Told = Record<"stored" | "unchanged" | "deleted" | "removed", string | undefined>;

function Done({ stored, unchanged, deleted, removed }: Told) {
  const words =
    (stored && `${stored} is stored. Recipes that name it read it from their next run on.`) ||
    (unchanged && `${unchanged} already has this content.`) ||
    (deleted && `The file of ${deleted} was deleted.`) ||
    (removed && "The unfinished upload was deleted.");
  return words ? (
    <div className="mt-5 max-w-3xl">
      <Notice tone="ok">{words}</Notice>
    </div>
  ) : null;
}

const UploadForm = ({ studio }: { studio: StudioContext }) => (
  <StudioForm
    fields={formFields(studio, { form: "upload" })}
    fileTo={UPLOAD_FORM_PATH}
    className="mt-8 max-w-xl space-y-5"
  >
    <label className="block">
      <span className="mb-1 block font-medium text-sm">Name</span>
      <input
        type="text"
        name="name"
        maxLength={100}
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        autoComplete="off"
        className="field"
      />
      <span className="mt-1 block text-muted text-xs">
        The name that recipes use: letters, digits, dots, hyphens and underscores. Defaults to the file’s own name. A
        file with an existing name becomes its newer version.
      </span>
    </label>
    <label className="block">
      <span className="mb-1 block font-medium text-sm">File</span>
      <input type="file" name="file" required className="field py-1.5" />
      <span className="mt-1 block text-muted text-xs">
        CSV, JSON, Excel or Parquet, optionally in an archive, up to {formatBytes(env().UPLOAD_BYTES)}.
      </span>
    </label>
    <Button type="submit" look="primary">
      Upload
    </Button>
  </StudioForm>
);
