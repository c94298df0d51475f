import { StudioForm } from "@/components/form/studio-form";
import { Button } from "@/components/ui/button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatBytes, formatShare } from "@/lib/kernel/format";
import type { UnfinishedUpload } from "@/lib/schemas/upload";

interface Props {
  files: readonly UnfinishedUpload[];
  /** The hidden fields of the form that deletes an upload. */
  fieldsOf(file: UnfinishedUpload): Readonly<Record<string, string>>;
  now: Date;
}

/** Incomplete uploads and their progress. */
export const UnfinishedList = ({ files, ...props }: Props) => (
  <DataTable
    label="Unfinished uploads"
    columns={columnsOf(props)}
    rows={files}
    keyOf={({ content_digest, total_bytes }) => `${content_digest} ${total_bytes}`}
  />
);

const columnsOf = ({ fieldsOf, now }: Omit<Props, "files">): readonly DataColumn<UnfinishedUpload>[] => [
  {
    id: "name",
    head: "Name",
    isRest: true,
    cell: (file) => (
      <>
        {file.name !== null && <span className="wrap-anywhere font-medium">{file.name}</span>}
        <span className="wrap-anywhere block text-muted text-xs">
          {file.file_name !== null && file.file_name !== file.name && `${file.file_name}, `}
          SHA-256 {shortDigest(file)}…
        </span>
        <span className="block text-muted text-xs sm:hidden">
          {heldOf(file)}, last part <RelativeTime at={file.changed_at} now={now} />
        </span>
      </>
    ),
  },
  { id: "held", head: "Received", isNumber: true, isWide: true, cell: heldOf },
  {
    id: "last",
    head: "Last part",
    isWide: true,
    cell: ({ changed_at }) => <RelativeTime at={changed_at} now={now} />,
  },
  {
    id: "actions",
    head: "Actions",
    isHeadHidden: true,
    cell: (file) => (
      <StudioForm fields={fieldsOf(file)}>
        <Button type="submit" small aria-label={`Delete the unfinished file ${file.name ?? shortDigest(file)}`}>
          Delete
        </Button>
      </StudioForm>
    ),
  },
];

const shortDigest = ({ content_digest }: UnfinishedUpload): string =>
  content_digest.slice("sha256:".length).slice(0, 12);

const heldOf = ({ held_bytes: held, total_bytes: total }: UnfinishedUpload): string =>
  `${formatBytes(held)} of ${formatBytes(total)} (${formatShare(held / total)})`;
