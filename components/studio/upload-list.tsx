import Link from "next/link";
import { StudioForm } from "@/components/form/studio-form";
import { Button } from "@/components/ui/button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatBytes } from "@/lib/kernel/format";
import type { Upload } from "@/lib/schemas/upload";

interface Props {
  uploads: readonly Upload[];
  workspaceId: string;
  /** The hidden fields of the form that deletes an upload. */
  fieldsOf(upload: Upload): Readonly<Record<string, string>>;
  now: Date;
}

/** The files that a workspace's recipes can read. */
export const UploadList = ({ uploads, ...props }: Props) => (
  <DataTable
    label="Uploads"
    columns={columnsOf(props)}
    rows={uploads}
    keyOf={({ name, content_digest, stored_at }) => `${name} ${content_digest} ${stored_at}`}
  />
);

const columnsOf = ({ workspaceId, fieldsOf, now }: Omit<Props, "uploads">): readonly DataColumn<Upload>[] => [
  {
    id: "name",
    head: "Name",
    isRest: true,
    cell: ({ name, file_name, current, content_digest, bytes, stored_at }) => (
      <>
        <span className="wrap-anywhere font-medium">{name}</span>
        {!current && <span className="ml-2 text-muted text-xs">earlier version</span>}
        <span className="wrap-anywhere block text-muted text-xs">
          {file_name !== null && file_name !== name && `${file_name}, `}
          {content_digest.slice(0, 19)}…
        </span>
        <span className="block text-muted text-xs sm:hidden">
          {formatBytes(bytes)}, stored <RelativeTime at={stored_at} now={now} />
        </span>
      </>
    ),
  },
  { id: "size", head: "Size", isNumber: true, isWide: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: "stored",
    head: "Stored",
    isWide: true,
    cell: ({ stored_at }) => <RelativeTime at={stored_at} now={now} />,
  },
  {
    id: "read",
    head: "Last read",
    isWide: true,
    cell: ({ last_read_at }) =>
      last_read_at === null ? <span className="text-muted">never</span> : <RelativeTime at={last_read_at} now={now} />,
  },
  {
    id: "actions",
    head: "Actions",
    isHeadHidden: true,
    cell: (upload) => (
      <div className="flex flex-col items-end justify-end gap-3 sm:flex-row sm:items-center">
        {upload.current && (
          <Link
            href={`/studio/new?workspace=${workspaceId}&upload=${encodeURIComponent(upload.name)}`}
            prefetch={false}
            className="link whitespace-nowrap text-sm"
          >
            New dataset
          </Link>
        )}
        <StudioForm fields={fieldsOf(upload)}>
          <Button type="submit" small aria-label={`Delete ${upload.name}, ${upload.content_digest.slice(0, 15)}`}>
            Delete
          </Button>
        </StudioForm>
      </div>
    ),
  },
];
