import { Bookmark } from "lucide-react";
import Link from "next/link";
import type { z } from "zod";
import { ActionButton } from "@/components/form/action-button";
import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import type { savedViewsSchema } from "@/lib/schemas/saved-view";
import { instant, OwnList } from "./own-list";

type SavedView = z.output<typeof savedViewsSchema>["views"][number];

/** Its title; without one, the table that it is of. */
const nameOf = ({ title, table, page }: SavedView): string =>
  title ?? (table ? `${page === "sql" ? "SQL over" : "View of"} ${table.name}` : "Untitled view");

const pathOf = ({ id }: SavedView): string => `/api/account/views/${id}`;

interface Props {
  views: readonly SavedView[];
  /** The page where a view is watched. */
  watchUrl: (view: SavedView) => string;
  now: Date;
}

/** A person's saved views, each with its table, its short link and its actions. */
export const ViewList = ({ views, watchUrl, now }: Props) => (
  <OwnList
    label="Saved views"
    head="View"
    rows={views}
    keyOf={({ id }) => id}
    name={(view) =>
      view.table ? (
        <a className="link" href={`/v/${view.id}`}>
          {nameOf(view)}
        </a>
      ) : (
        nameOf(view)
      )
    }
    note={(view) => <ViewFacts view={view} />}
    more={(view) => (
      <>
        <RenameView view={view} />
        {view.table && view.page === "explorer" && (
          <Link href={watchUrl(view)} prefetch={false} className="inline-block rounded-sm py-1 text-accent text-xs">
            Tell me when it changes<span className="sr-only">: {nameOf(view)}</span>
          </Link>
        )}
      </>
    )}
    facts={[instant("Saved", "saved", "created_at", now)]}
    aside={(view) => (
      <>
        <CopyButton text={view.url} label={`the short link of ${nameOf(view)}`} look="button button-small">
          Copy link
        </CopyButton>
        <ActionButton
          method="DELETE"
          path={pathOf(view)}
          label="Delete"
          describes={nameOf(view)}
          title={`Delete “${nameOf(view)}”?`}
          confirm="Delete view"
          done="View deleted."
          focusAfter="views"
        >
          <p>Its short link stops working, wherever it was shared, and watches of it are deleted.</p>
        </ActionButton>
      </>
    )}
    empty={
      <EmptyState icon={Bookmark} title="No saved views yet">
        <p>
          Filter, group or chart a table, then press <strong>Share</strong> and create a short link. It opens the same
          view, with the newest data.
        </p>
        <Link href="/datasets" className="button button-small mt-2">
          Look for a dataset
        </Link>
      </EmptyState>
    }
  />
);

function ViewFacts({ view: { dataset, table, page } }: { view: SavedView }) {
  if (!dataset || !table) return <p>Its dataset was withdrawn or made private, so that its link opens nothing.</p>;
  return (
    <p>
      <Link className="link" href={`/datasets/${dataset.slug}`} prefetch={false}>
        {dataset.title}
      </Link>
      {`, ${table.name}${page === "sql" ? ", in SQL" : ""}`}
    </p>
  );
}

const RenameView = ({ view }: { view: SavedView }) => (
  <details className="mt-1 text-sm">
    <summary className="inline-block cursor-pointer rounded-sm py-1 text-accent text-xs">
      Rename<span className="sr-only"> {nameOf(view)}</span>
    </summary>
    <ApiForm
      method="PATCH"
      path={pathOf(view)}
      body="title"
      done="View renamed."
      className="mt-2 flex max-w-md flex-wrap items-end gap-3 pb-2"
    >
      <TextField name="title" label="Title" defaultValue={view.title ?? ""} maxLength={120} autoComplete="off" />
      <SubmitButton look="plain">Rename</SubmitButton>
    </ApiForm>
  </details>
);
