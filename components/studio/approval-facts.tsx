import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import { everyText } from "@/lib/kernel/duration-text";
import { formatBytes, formatPlural, formatSeconds } from "@/lib/kernel/format";
import type { ApprovalView } from "@/lib/operations/approvals/get-approval";

/** What needs attention, above everything else, one sentence each. */
export function ApprovalWarnings({ view }: { view: ApprovalView }) {
  const warnings = warningsOf(view);
  if (warnings.length === 0) return null;
  return (
    <div className="mt-6 max-w-3xl">
      <Notice tone="danger" title="Review this first">
        <ul className="mt-1 list-disc space-y-1 pl-5">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

function warningsOf({ private_inputs, impact, result, visibility, asked }: ApprovalView): string[] {
  const isShown = visibility === "public" || asked?.after_seal.promote === "public";
  const failed = (result?.checks ?? []).flatMap(({ check, title, table, outcome, severity, message }) =>
    outcome === "failed" && severity === "error"
      ? [`The check ${title ?? check.replaceAll("_", " ")} on ${table} failed. ${message}`]
      : [],
  );
  const inputs = private_inputs.map(
    ({ table }) =>
      `${isShown ? "A private table becomes part of a public result" : "It reads a private table"}: ${table}.`,
  );
  const lost = (result?.left_out ?? []).flatMap((each) =>
    each.loss ? [`The reader of ${each.source} lost values. ${leftOutCountText(each)}.`] : [],
  );
  const doubts = (result?.sampled ?? []).flatMap(({ source, remarks = [] }) =>
    remarks.map((remark) => `${source}: ${remark}`),
  );
  const found = [...failed, ...lost, ...doubts, ...inputs];
  if (!impact) return found;
  return [
    ...found,
    ...impact.new_hosts.map((host) => `It reads from a new host: ${host}.`),
    ...impact.new_credentials.map((name) => `It uses a new credential: ${name}.`),
    ...impact.checks_weakened.map(({ check, table }) => `The check ${check} on ${table} was removed or weakened.`),
  ];
}

type Source = ApprovalView["sources"][number];

/** What is read, from where and with which credential. */
export function ApprovalSources({ view: { sources, impact } }: { view: ApprovalView }) {
  // Before the first approval, everything is read for the first time.
  const hosts = impact ? impact.new_hosts : sources.flatMap(({ host }) => host ?? []);
  const columns = sourceColumns(new Set(hosts));
  return <DataTable label="Sources" columns={columns} rows={sources} keyOf={({ name }) => name} />;
}

/** Where a source is if the recipe has no URL for it. */
const PLACES: Readonly<Record<string, string>> = {
  package: "the package registry",
  upload: "the workspace’s uploads",
  table: "this service",
};

const sourceColumns = (newHosts: ReadonlySet<string>): readonly DataColumn<Source>[] => [
  {
    id: "name",
    head: "Source",
    isRest: true,
    cell: ({ name, title, reads, kind }) => (
      <>
        <span className="font-medium">{title ?? name}</span> <span className="text-muted text-xs">{kind}</span>
        <code className="wrap-anywhere block font-mono font-normal text-muted text-xs">{reads}</code>
      </>
    ),
  },
  {
    id: "host",
    head: "Host",
    cell: ({ host, credential, kind }) => (
      <span className="wrap-anywhere block min-w-36 sm:min-w-56">
        {host ?? PLACES[kind] ?? "none"} {host !== null && newHosts.has(host) && <Badge tone="warning">New</Badge>}
        <span className="block text-muted text-xs">
          {credential === null ? "without a credential" : `with the credential ${credential}`}
        </span>
      </span>
    ),
  },
  { id: "license", head: "Licence", isWide: true, cell: ({ license }) => license ?? "not specified" },
];

/** What will be published, and under which terms. */
export function ApprovalResult({ view: { publish, tables, schedule, visibility } }: { view: ApprovalView }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Licence", publish.license],
    ["Publisher", `${publish.publisher} (not verified)`],
    ...(publish.attribution ? [["Attribution", publish.attribution] as const] : []),
    ["Visible to", visibility === "public" ? "everyone" : "members of the workspace, until an owner publishes it"],
    ["Refresh", schedule === null ? "only when someone starts a run" : everyText(schedule)],
  ];
  return (
    <>
      <dl className="grid max-w-3xl grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        {facts.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="wrap-anywhere">{fact}</dd>
          </div>
        ))}
      </dl>
      {tables.map((table) => (
        <details key={table.slug} className="mt-4">
          <summary className="cursor-pointer">
            <span className="font-medium">{table.slug}</span>{" "}
            <span className="text-muted text-sm">
              {table.columns.length} columns, {table.license}
              {table.primary_key.length > 0 && `, key ${table.primary_key.join(", ")}`}
            </span>
          </summary>
          <ul className="mt-2 grid gap-x-6 text-sm sm:grid-cols-2 lg:grid-cols-3">
            {table.columns.map(({ name, type }) => (
              <li key={name} className="flex justify-between gap-3 border-line border-b py-1">
                <code className="wrap-anywhere font-mono text-[0.8125rem]">{name}</code>
                <span className="text-muted">{type ?? "from the sample"}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

/** What the full run will take, compared with what the workspace has left for today. */
export function ApprovalEstimate({ view: { estimate } }: { view: ApprovalView }) {
  if (!estimate) return <p className="text-muted">No estimate is available.</p>;
  const { bytes, seconds, basis, quota } = estimate;
  const isMeasured = basis !== "limits";
  return (
    <p className="max-w-3xl">
      {isMeasured
        ? `About ${formatBytes(bytes.max)} and ${formatSeconds(seconds.max)}, as measured by the last read.`
        : `Not measured before: at most ${formatBytes(bytes.max)}, the limit for a source.`}{" "}
      <span className="text-muted">
        The workspace has {formatPlural(quota.runs_left_today, "run")} and {formatBytes(quota.bytes_left_today)} left
        today.
      </span>
    </p>
  );
}
