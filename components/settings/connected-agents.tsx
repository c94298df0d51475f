import { Bot } from "lucide-react";
import { ConfirmButton } from "@/components/form/confirm-button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SCOPES, type Scope } from "@/lib/oauth/scopes";
import type { Agents } from "@/lib/schemas/workspace";
import { LastUsed } from "./key-table";

type Agent = Agents["agents"][number];

interface Props {
  agents: readonly Agent[];
  /** The workspace's path in the account API. */
  path: string;
  /** Connector URL, to add to a client. */
  connector: string;
  /** Whether the workspace has several members, so that it matters who connected an agent. */
  shared: boolean;
  now: Date;
}

/** The programs connected to the workspace; each can be disconnected. */
export function ConnectedAgents({ agents, path, connector, shared, now }: Props) {
  if (agents.length === 0) {
    return (
      <EmptyState icon={Bot} title="No connected agents">
        Add <code className="font-mono text-ink">{connector}</code> as a connector in Claude, ChatGPT, Cursor or VS
        Code. It opens this service for your approval.{" "}
        <a className="link" href="/docs/connect">
          Set-up for each client
        </a>
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Connected agents"
      columns={columnsAt({ path, shared, now })}
      rows={agents}
      keyOf={({ id }) => id}
    />
  );
}

const columnsAt = ({ path, shared, now }: Pick<Props, "path" | "shared" | "now">): readonly DataColumn<Agent>[] => [
  {
    id: "agent",
    head: "Agent",
    isRest: true,
    cell: ({ name, scopes, connected_by: by, last_used_at: at }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="mt-1 block break-words text-muted text-xs">
          {scopes.map((scope) => SCOPES[scope as Scope] ?? scope).join("; ")}.{shared && ` Connected by ${by}.`}
        </span>
        <span className="mt-1 block text-muted text-xs sm:hidden">
          <LastUsed at={at} now={now} long />
        </span>
      </>
    ),
  },
  {
    id: "connected",
    head: "Connected",
    isWide: true,
    cell: ({ connected_at: at }) => <RelativeTime at={at} now={now} />,
  },
  { id: "used", head: "Last used", isWide: true, cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} /> },
  {
    id: "actions",
    head: "Actions",
    isHeadHidden: true,
    isNumber: true,
    cell: ({ id, name }) => (
      <ConfirmButton
        path={`${path}/agents/${id}`}
        label="Disconnect"
        describes={name}
        title={`Disconnect “${name}”?`}
        confirm="Disconnect agent"
        done="Agent disconnected."
        focusAfter="agents"
      >
        Its next call is rejected. It needs your approval to connect again.
      </ConfirmButton>
    ),
  },
];
