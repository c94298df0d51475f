import { Bot, Database, Terminal } from "lucide-react";
import Link from "next/link";
import { ActionButton } from "@/components/form/action-button";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDay } from "@/lib/kernel/format";
import { SCOPES, type Scope } from "@/lib/oauth/scopes";
import type { Devices } from "@/lib/schemas/device";
import type { Connections } from "@/lib/schemas/usage";
import type { Agents } from "@/lib/schemas/workspace";
import { instant, OwnList } from "./own-list";

interface Props {
  /** The workspace's path in the account API. */
  path: string;
  /** The service's URL. */
  service: string;
  /** Whether the workspace has several people, so that it matters whose a device or an agent is. */
  shared: boolean;
  now: Date;
}

const rightsOf = (scopes: readonly string[]): string =>
  `${scopes.map((scope) => SCOPES[scope as Scope] ?? scope).join("; ")}.`;

/** The programs connected to the workspace; each can be disconnected. */
export const ConnectedAgents = ({ agents, path, service, shared, now }: Props & Pick<Agents, "agents">) => (
  <OwnList
    label="Connected agents"
    head="Agent"
    rows={agents}
    keyOf={({ id }) => id}
    name={({ name }) => name}
    note={({ scopes, connected_by: by }) => `${rightsOf(scopes)}${shared ? ` Connected by ${by}.` : ""}`}
    facts={[instant("Connected", "connected", "connected_at", now), instant("Last used", "used", "last_used_at", now)]}
    aside={({ id, name }) => (
      <ActionButton
        method="DELETE"
        path={`${path}/agents/${id}`}
        label="Disconnect"
        describes={name}
        title={`Disconnect “${name}”?`}
        confirm="Disconnect agent"
        done="Agent disconnected."
        focusAfter="agents"
      >
        <p>Its next call is rejected. It needs your approval to connect again.</p>
      </ActionButton>
    )}
    empty={
      <EmptyState icon={Bot} title="No connected agents">
        Add <code className="font-mono text-ink">{service}/api/mcp</code> as a connector in Claude, ChatGPT, Cursor or
        VS Code. It opens this service for your approval.{" "}
        <a className="link" href="/docs/connect">
          Set-up for each client
        </a>
      </EmptyState>
    }
  />
);

const nameOf = ({ name }: Devices["devices"][number]): string => name ?? "Unnamed device";

/** The computers whose command line can read for the workspace. Each can be signed out separately. */
export const SignedInDevices = ({ devices, path, service, shared, now }: Props & Pick<Devices, "devices">) => (
  <OwnList
    label="Signed-in devices"
    head="Device"
    rows={devices}
    keyOf={({ id }) => id}
    name={nameOf}
    note={({ ends, scopes, allowed_by: by }) => (
      <>
        <code className="whitespace-nowrap font-mono text-faint">{ends}</code>
        <p className="mt-0.5">
          {rightsOf(scopes)}
          {shared && ` Approved by ${by}.`}
        </p>
      </>
    )}
    facts={[
      instant("Signed in", "signed in", "created_at", now),
      instant("Last used", "used", "last_used_at", now),
      instant("Expires", "expires", "expires_at", now),
    ]}
    aside={(device) => (
      <ActionButton
        method="DELETE"
        path={`${path}/devices/${device.id}`}
        label="Revoke"
        describes={nameOf(device)}
        title={`Revoke “${nameOf(device)}”?`}
        confirm="Revoke device"
        done={`The device “${nameOf(device)}” is signed out.`}
        focusAfter="devices"
      >
        <p>Its next call is rejected. It has to sign in again to regain access.</p>
      </ActionButton>
    )}
    empty={
      <EmptyState icon={Terminal} title="No signed-in devices">
        <p>
          On a computer with the Parquetry command line, run{" "}
          <code className="wrap-anywhere font-mono text-ink">
            parquetry login <span className="whitespace-nowrap">--url</span> {service}
          </code>
          . It shows a code, which you enter at{" "}
          <code className="wrap-anywhere font-mono text-ink">{service}/device</code>.
        </p>
      </EmptyState>
    }
  />
);

/** Public datasets that the workspace's keys have read, most recent first. */
export function ConnectedDatasets({ datasets, now }: Pick<Connections, "datasets"> & Pick<Props, "now">) {
  const today = now.toISOString().slice(0, 10);
  return (
    <OwnList
      label="Connected datasets"
      head="Dataset"
      rows={datasets}
      keyOf={({ slug, connected_at: at }) => slug ?? at}
      name={({ slug, title }) =>
        slug === null ? (
          <span className="font-normal text-muted">A dataset that is no longer readable</span>
        ) : (
          <Link href={`/datasets/${slug}`} prefetch={false} className="link">
            {title}
          </Link>
        )
      }
      facts={[
        instant("Connected", "connected", "connected_at", now),
        {
          head: "Last read",
          cell: ({ last_read: day }, small) =>
            day === null
              ? `never${small ? " read" : ""}`
              : `${small ? "read " : ""}${day === today ? "today" : formatDay(day)}`,
        },
      ]}
      empty={
        <EmptyState
          icon={Database}
          title="No connected datasets"
          action={<LinkButton href="/datasets">Browse datasets</LinkButton>}
        >
          <p>Choose a dataset and query or download one of its tables with a key.</p>
        </EmptyState>
      }
    />
  );
}
