import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { studioContext } from "@/app/studio/studio-context";
import { PlanNeeded } from "@/components/studio/plan-notice";
import { PublishForm } from "@/components/studio/publish-form";
import { StudioPage } from "@/components/studio/studio-head";
import { env } from "@/lib/kernel/env";
import { formatBytes } from "@/lib/kernel/format";

export const metadata: Metadata = { title: "Publish a file" };

/** Licences that open data is published under most. */
const LICENCES = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0", "MIT"];

/** A file becomes a private dataset, by a recipe that the form writes. */
export default async function PublishFilePage({ searchParams }: { searchParams: SearchParams }) {
  const studio = await studioContext("/studio/new/publish", searchParams);
  if (!studio) return <Missing />;
  const { workspace } = studio;
  const query = `?workspace=${workspace.id}`;
  return (
    <StudioPage
      title="Publish a file"
      trail={[{ href: `/studio${query}`, label: "Studio" }]}
      intro={
        <p>
          A dataset from a file of yours, private to {workspace.name} until an owner makes it public. For data that is
          on the web or changes regularly,{" "}
          <Link href={`/studio/new${query}`} prefetch={false} className="link">
            write a recipe
          </Link>
          .
        </p>
      }
    >
      {workspace.subscription_active ? (
        <>
          <noscript>
            <p className="mt-8 max-w-prose">
              This form needs JavaScript. Without it,{" "}
              <a className="link" href={`/studio/new/uploads${query}`}>
                upload the file
              </a>{" "}
              first, then make a dataset from it.
            </p>
          </noscript>
          <PublishForm
            path={`/api/v2/build/workspaces/${workspace.id}`}
            most={formatBytes(env().UPLOAD_BYTES)}
            licences={LICENCES}
          />
        </>
      ) : (
        <PlanNeeded href={`/settings/workspace${query}`} />
      )}
    </StudioPage>
  );
}
