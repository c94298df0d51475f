import { LockKeyhole } from "lucide-react";
import { ActionButton } from "@/components/form/action-button";
import { TextField } from "@/components/form/text-field";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Secret } from "@/lib/schemas/secret";
import { SECRET_FORMS } from "@/lib/schemas/secret-forms";
import { instant, OwnList } from "./own-list";
import { SecretFields, TrialResult } from "./secret-forms";

interface Props {
  secrets: readonly Secret[];
  /** Path of the workspace in the account API. */
  path: string;
  canDelete: boolean;
  now: Date;
}

/** Source credentials by name, without their values. */
export const SecretList = ({ secrets, now, ...props }: Props) => (
  <OwnList
    label="Source credentials"
    rows={secrets}
    keyOf={({ name }) => name}
    name={({ name }) => <code className="font-mono text-[0.8125rem]">{name}</code>}
    note={({ kind, field, hosts }) => (
      <>
        <p>{field ? `${SECRET_FORMS[kind].title} ${field}` : SECRET_FORMS[kind].title}</p>
        <p className={hosts.length > 0 ? undefined : "text-danger"}>
          {hosts.length > 0 ? `for ${hosts.join(", ")}` : "No hosts: recipes cannot use it."}
        </p>
      </>
    )}
    facts={[
      { head: "Value set", cell: (secret) => <ValueSet secret={secret} now={now} /> },
      instant<Secret>("Last used", "used", "last_used_at", now, ({ last_used_by: by }) => by),
    ]}
    aside={(secret) => <SecretActions secret={secret} now={now} {...props} />}
    empty={
      <EmptyState icon={LockKeyhole} title="No secrets yet">
        <p>
          Recipes use them for sources that require a key. For each, list the hosts that may receive it; without hosts,
          it can’t be used.
        </p>
        <p>
          Values are encrypted with AES-256-GCM under a key that is not in the database. The audit log records each
          change.
        </p>
      </EmptyState>
    }
  />
);

const ValueSet = ({ secret: { created_at, created_by, replaced_at }, now }: { secret: Secret; now: Date }) => (
  <>
    {replaced_at ? "replaced" : "created"} <RelativeTime at={replaced_at ?? created_at} now={now} />
    {replaced_at && (
      <span className="block text-muted text-xs">
        created <RelativeTime at={created_at} now={now} />
      </span>
    )}
    {created_by && (
      <span title={created_by} className="block max-w-44 truncate text-muted text-xs">
        by {created_by}
      </span>
    )}
  </>
);

/** Its hosts, a trial at one of them, another value, and the end of it. */
function SecretActions({ secret, path, canDelete, now }: Omit<Props, "secrets"> & { secret: Secret }) {
  const { name, kind, field, hosts, last_used_at, last_used_by } = secret;
  const own = `${path}/secrets/${encodeURIComponent(name)}`;
  return (
    <>
      <ActionButton
        method="PUT"
        path={`${own}/hosts`}
        body="secret_hosts"
        label="Hosts"
        describes={`of ${name}`}
        title={`Hosts of “${name}”`}
        fields={
          <TextField
            name="hosts"
            label="Host names"
            defaultValue={hosts.join(", ")}
            placeholder="api.example.org"
            hint="Separated by commas. *.example.org matches all its subdomains."
            {...AS_TYPED}
          />
        }
        confirm="Save hosts"
        look="primary"
        done={`Hosts of “${name}” changed.`}
      >
        <p>Recipes can send it only to these hosts.</p>
      </ActionButton>
      {hosts.length > 0 && (
        <ActionButton
          method="POST"
          path={`${own}/test`}
          body="secret_test"
          label="Test"
          describes={name}
          title={`Test “${name}”`}
          fields={
            <>
              <TextField
                name="url"
                label="URL"
                type="url"
                defaultValue={firstAddress(hosts)}
                placeholder="https://api.example.org/v1/stations"
                hint={`On ${hosts.join(", ")}.`}
                {...AS_TYPED}
              />
              <TrialResult />
            </>
          }
          confirm="Send request"
          look="primary"
          stays
        >
          <p>
            Sends one request with the credential, without reading data. For a clear result, use a URL that requires the
            credential.
          </p>
        </ActionButton>
      )}
      <ActionButton
        method="PUT"
        path={own}
        body="secret_value"
        label="Replace"
        describes={name}
        title={`Replace “${name}”`}
        fields={
          <>
            <input type="hidden" name="kind" value={kind} />
            <SecretFields kind={kind} field={field} />
          </>
        }
        confirm="Replace value"
        look="primary"
        done={`“${name}” replaced.`}
      >
        <p>Recipes use the new value from their next run. The old value is erased.</p>
      </ActionButton>
      {canDelete && (
        <ActionButton
          method="DELETE"
          path={own}
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
        </ActionButton>
      )}
    </>
  );
}

const AS_TYPED = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** The root URL of the first host that is not a pattern. */
function firstAddress(hosts: readonly string[]): string {
  const host = hosts.find((listed) => !listed.startsWith("*."));
  return host === undefined ? "" : `https://${host}/`;
}
