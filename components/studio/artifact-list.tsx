import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatUtc } from "@/lib/kernel/format";

interface Artifact {
  artifact_id: string;
  name: string;
  bytes: number;
  sha256: string;
  expires_at: string;
}

/** A run's artifacts, with their digests and how long they are kept. */
export const ArtifactList = ({ artifacts }: { artifacts: readonly Artifact[] }) => (
  <DataTable label="Artifacts" columns={COLUMNS} rows={artifacts} keyOf={({ artifact_id }) => artifact_id} />
);

const COLUMNS: readonly DataColumn<Artifact>[] = [
  { id: "name", head: "File", isRest: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { id: "bytes", head: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: "digest",
    head: "SHA-256",
    isWide: true,
    cell: ({ sha256, name }) => (
      <CopiedId text={sha256} shown={`${sha256.slice(0, 12)}…`} label={`digest of ${name}`} />
    ),
  },
  { id: "until", head: "Kept until", isWide: true, cell: ({ expires_at }) => formatUtc(expires_at) },
];
