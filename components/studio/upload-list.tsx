import { FileUp } from "lucide-react";
import Link from "next/link";
import { StudioForm } from "@/components/form/studio-form";
import { instant, OwnList } from "@/components/settings/own-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes, formatShare } from "@/lib/kernel/format";
import type { UnfinishedUpload, Upload } from "@/lib/schemas/upload";

interface Props<File> {
  files: readonly File[];
  /** The hidden fields of the form that deletes a file. */
  fieldsOf(file: File): Readonly<Record<string, string>>;
  now: Date;
}

/** The files that a workspace's recipes can read. */
export const UploadList = ({ files, workspaceId, fieldsOf, now }: Props<Upload> & { workspaceId: string }) => (
  <OwnList
    label="Uploads"
    rows={files}
    keyOf={({ name, content_digest, stored_at }) => `${name} ${content_digest} ${stored_at}`}
    name={({ name, current }) => (
      <>
        {name} {!current && <span className="ml-2 font-normal text-muted text-xs">earlier version</span>}
      </>
    )}
    note={({ name, file_name, content_digest }) =>
      `${file_name !== null && file_name !== name ? `${file_name}, ` : ""}${content_digest.slice(0, 19)}…`
    }
    facts={[
      { head: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
      instant("Stored", "stored", "stored_at", now),
      instant("Last read", "read", "last_read_at", now),
    ]}
    aside={(upload) => (
      <>
        {upload.current && (
          <Link
            href={`/studio/new?workspace=${workspaceId}&upload=${encodeURIComponent(upload.name)}`}
            prefetch={false}
            className="link whitespace-nowrap sm:mr-1 text-sm"
          >
            New dataset
          </Link>
        )}
        <DeleteFile fields={fieldsOf(upload)} name={`${upload.name}, ${upload.content_digest.slice(0, 15)}`} />
      </>
    )}
    empty={
      <EmptyState icon={FileUp} title="No uploads yet">
        <p>Upload a file to use it as a source. Data that is already on the web needs no upload.</p>
      </EmptyState>
    }
  />
);

/** Incomplete uploads and their progress. */
export const UnfinishedList = ({ files, fieldsOf, now }: Props<UnfinishedUpload>) => (
  <OwnList
    label="Unfinished uploads"
    rows={files}
    keyOf={({ content_digest, total_bytes }) => `${content_digest} ${total_bytes}`}
    name={({ name }) => name}
    note={(file) =>
      `${file.file_name !== null && file.file_name !== file.name ? `${file.file_name}, ` : ""}` +
      `SHA-256 ${shortDigest(file)}…`
    }
    facts={[
      {
        head: "Received",
        isNumber: true,
        cell: ({ held_bytes: held, total_bytes: total }) =>
          `${formatBytes(held)} of ${formatBytes(total)} (${formatShare(held / total)})`,
      },
      instant("Last part", "last part", "changed_at", now),
    ]}
    aside={(file) => (
      <DeleteFile fields={fieldsOf(file)} name={`the unfinished file ${file.name ?? shortDigest(file)}`} />
    )}
  />
);

const DeleteFile = ({ fields, name }: { fields: Readonly<Record<string, string>>; name: string }) => (
  <StudioForm fields={fields}>
    <Button type="submit" small aria-label={`Delete ${name}`}>
      Delete
    </Button>
  </StudioForm>
);

const shortDigest = ({ content_digest }: UnfinishedUpload): string =>
  content_digest.slice("sha256:".length).slice(0, 12);
