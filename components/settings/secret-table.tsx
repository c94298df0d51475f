import { ConfirmButton } from "@/components/form/confirm-button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Secret } from "@/lib/schemas/secret";
import { SECRET_FORMS } from "@/lib/schemas/secret-forms";
import { ReplaceSecret } from "./replace-secret";
import { SecretHosts } from "./secret-hosts";
import { TestSecret } from "./test-secret";

interface Props {
  secrets: readonly Secret[];
  /** Path of the workspace in the account API. */
  path: string;
  canDelete: boolean;
  now: Date;
}

/** Source credentials by name, without their values. */
export function SecretTable({ secrets, ...props }: Props) {
  return <DataTable label="Source credentials" columns={columnsOf(props)} rows={secrets} keyOf={({ name }) => name} />;
}

const columnsOf = ({ path, canDelete, now }: Omit<Props, "secrets">): readonly DataColumn<Secret>[] => [
  { id: "name", head: "Name", isRest: true, cell: (secret) => <SecretSummary secret={secret} now={now} /> },
  { id: "set", head: "Value set", isWide: true, cell: (secret) => <ValueSet secret={secret} now={now} /> },
  { id: "used", head: "Last used", isWide: true, cell: (secret) => <LastUse secret={secret} now={now} /> },
  {
    id: "actions",
    head: "Actions",
    isHeadHidden: true,
    cell: (secret) => (
      <div className="flex flex-col justify-end gap-2 sm:flex-row">
        <SecretHosts secret={secret} path={path} />
        {secret.hosts.length > 0 && <TestSecret secret={secret} path={path} />}
        <ReplaceSecret secret={secret} path={path} />
        {canDelete && <DeleteSecret secret={secret} path={path} now={now} />}
      </div>
    ),
  },
];

/** Name and kind and, on phones, the contents of the other columns. */
function SecretSummary({ secret, now }: { secret: Secret; now: Date }) {
  return (
    <>
      <code className="wrap-anywhere block min-w-28 font-medium font-mono text-[0.8125rem]">{secret.name}</code>
      <span className="wrap-anywhere text-muted text-xs">{kindOf(secret)}</span>
      <span className={`wrap-anywhere block text-xs ${secret.hosts.length > 0 ? "text-muted" : "text-danger"}`}>
        {secret.hosts.length > 0 ? `for ${secret.hosts.join(", ")}` : "No hosts: recipes cannot use it."}
      </span>
      <p className="mt-1 text-muted text-xs sm:hidden">
        <ValueSet secret={secret} now={now} />
        <LastUse secret={secret} now={now} long />
      </p>
    </>
  );
}

const kindOf = ({ kind, field }: Secret): string =>
  field ? `${SECRET_FORMS[kind].title} ${field}` : SECRET_FORMS[kind].title;

function ValueSet({ secret: { created_at, created_by, replaced_at }, now }: { secret: Secret; now: Date }) {
  return (
    <span className="block">
      <span className="whitespace-nowrap">
        {replaced_at ? "replaced" : "created"} <RelativeTime at={replaced_at ?? created_at} now={now} />
      </span>
      {replaced_at && (
        <span className="block whitespace-nowrap text-muted text-xs">
          created <RelativeTime at={created_at} now={now} />
        </span>
      )}
      {created_by && (
        <span title={created_by} className="block max-w-44 truncate text-muted text-xs">
          by {created_by}
        </span>
      )}
    </span>
  );
}

function LastUse({
  secret: { last_used_at, last_used_by },
  now,
  long = false,
}: {
  secret: Secret;
  now: Date;
  long?: boolean;
}) {
  if (last_used_at === null) return <span className="text-faint">never{long && " used"}</span>;
  return (
    <span className="block">
      <span className="whitespace-nowrap">
        {long && "used "}
        <RelativeTime at={last_used_at} now={now} />
      </span>
      {last_used_by && (
        <span title={last_used_by} className="block max-w-40 truncate text-muted text-xs">
          by {last_used_by}
        </span>
      )}
    </span>
  );
}

function DeleteSecret({
  secret: { name, last_used_at, last_used_by },
  path,
  now,
}: {
  secret: Secret;
  path: string;
  now: Date;
}) {
  return (
    <ConfirmButton
      path={`${path}/secrets/${encodeURIComponent(name)}`}
      label="Delete"
      describes={name}
      title={`Delete “${name}”?`}
      confirm="Delete secret"
      done={`“${name}” is deleted.`}
      focusAfter="secrets"
    >
      <p>Recipes that use it fail from their next run. The value is erased and cannot be recovered.</p>
      {last_used_at === null ? (
        <p>No recipe has ever used it.</p>
      ) : (
        <p>
          It was last used <RelativeTime at={last_used_at} now={now} />
          {last_used_by && ` by ${last_used_by}`}.
        </p>
      )}
    </ConfirmButton>
  );
}
