import { Terminal } from "lucide-react";
import { ConfirmButton } from "@/components/form/confirm-button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SCOPES, type Scope } from "@/lib/oauth/scopes";
import type { Devices } from "@/lib/schemas/device";
import { Expiry, KeyName, LastUsed } from "./key-table";

type Device = Devices["devices"][number];

interface Props {
  devices: readonly Device[];
  /** The workspace's path in the account API. */
  path: string;
  /** The service's URL, to sign in at. */
  service: string;
  /** Whether the workspace has several people, so that it matters whose a device is. */
  shared: boolean;
  now: Date;
}

/** The computers whose command line can read for the workspace. Each can be signed out separately. */
export function DeviceTable({ devices, path, service, shared, now }: Props) {
  if (devices.length === 0) {
    return (
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
    );
  }
  return (
    <DataTable
      label="Signed-in devices"
      columns={columnsAt({ path, shared, now })}
      rows={devices}
      keyOf={({ id }) => id}
    />
  );
}

const nameOf = ({ name }: Device): string => name ?? "Unnamed device";

const columnsAt = ({ path, shared, now }: Pick<Props, "path" | "shared" | "now">): readonly DataColumn<Device>[] => [
  {
    id: "device",
    head: "Device",
    isRest: true,
    cell: (device) => (
      <>
        <KeyName entry={{ name: nameOf(device), ends: device.ends }} />
        <span className="mt-1 block text-muted text-xs">
          {device.scopes.map((scope) => SCOPES[scope as Scope] ?? scope).join("; ")}.
          {shared && ` Approved by ${device.allowed_by}.`}
        </span>
        <span className="mt-1 flex flex-wrap gap-x-3 text-muted text-xs sm:hidden">
          <LastUsed at={device.last_used_at} now={now} long />
          <Expiry at={device.expires_at} now={now} long />
        </span>
      </>
    ),
  },
  { id: "created", head: "Signed in", isWide: true, cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
  { id: "used", head: "Last used", isWide: true, cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} /> },
  { id: "expires", head: "Expires", isWide: true, cell: ({ expires_at: at }) => <Expiry at={at} now={now} /> },
  {
    id: "actions",
    head: "Revoke",
    isHeadHidden: true,
    isNumber: true,
    cell: (device) => (
      <ConfirmButton
        path={`${path}/devices/${device.id}`}
        label="Revoke"
        describes={nameOf(device)}
        title={`Revoke “${nameOf(device)}”?`}
        confirm="Revoke device"
        done={`The device “${nameOf(device)}” is signed out.`}
        focusAfter="devices"
      >
        Its next call is rejected. It has to sign in again to regain access.
      </ConfirmButton>
    ),
  },
];
