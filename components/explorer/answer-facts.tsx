"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/copy-button";
import { formatBytes, formatCount, formatUtc } from "@/lib/format";
import type { AnswerState } from "./answer-state";

const DIGEST_SHOWN = 15;
const QUERY_SHOWN = 12;

interface Props {
  answer: AnswerState;
  /** How many there are of it all, where that is known. */
  total: number | undefined;
  isGrouped: boolean;
  /** Of the page of all versions, below which each has its own. */
  versionsUrl: string;
  isOld: boolean;
  children?: ReactNode;
}

/**
 * What the answer rests on: how much of it is here, what was read for it and how long it took, and the exact version
 * that it was read from.
 */
export function AnswerFacts({ answer, total, isGrouped, versionsUrl, isOld, children }: Props) {
  const { facts, rows, phase } = answer;
  return (
    <div className="answer-facts">
      <p role="status" className="font-medium text-ink">
        {phase === "asking"
          ? "Asking…"
          : phase === "failed" && rows.length === 0
            ? "No answer"
            : extentText(answer, total, isGrouped)}
        {phase === "continuing" && <span className="font-normal text-muted"> Loading more…</span>}
      </p>
      {children}
      {facts && (
        <dl>
          <Fact name="Read">{formatBytes(facts.scannedBytes)}</Fact>
          <Fact name="Time">{formatCount(facts.elapsedMs)} ms</Fact>
          <Fact name="Version">
            <Link
              className="link"
              prefetch={false}
              href={`${versionsUrl}/${facts.versionId}`}
              title={`${facts.versionId}, published ${formatUtc(facts.publishedAt)}`}
            >
              {facts.versionId.slice(0, 8)}
              {isOld ? ", an older one" : ""}
            </Link>
          </Fact>
          <Fact name="Digest" copied={facts.digest} label="digest">
            <code title={facts.digest}>{facts.digest.slice(0, DIGEST_SHOWN)}…</code>
          </Fact>
          <Fact name="Query" copied={facts.queryId} label="query id">
            <code title={facts.queryId}>{facts.queryId.slice(0, QUERY_SHOWN)}…</code>
          </Fact>
        </dl>
      )}
    </div>
  );
}

function Fact({
  name,
  children,
  copied,
  label = "",
}: {
  name: string;
  children: ReactNode;
  copied?: string;
  label?: string;
}) {
  return (
    <div className="flex items-center gap-1.5">
      <dt>{name}</dt>
      <dd className="flex items-center gap-1">
        {children}
        {copied !== undefined && <CopyButton text={copied} label={label} />}
      </dd>
    </div>
  );
}

/** `Rows 1 to 300 of 3,000,000`, `All 344 rows`, `The first 100 groups, of more`. */
function extentText({ rows, next, facts }: AnswerState, total: number | undefined, isGrouped: boolean): string {
  const noun = isGrouped ? "group" : "row";
  const count = `${formatCount(rows.length)} ${noun}${rows.length === 1 ? "" : "s"}`;
  const isPartial = next !== null || facts?.truncated === true;
  if (rows.length === 0) return `No ${noun}s`;
  if (!isPartial)
    return rows.length === total || isGrouped || total === undefined
      ? `${rows.length > 2 ? "All " : ""}${count}: complete`
      : `${count}: complete`;
  if (isGrouped) return `The first ${count}: partial`;
  return total === undefined
    ? `The first ${count}: partial, there are more`
    : `The first ${count} of ${formatCount(total)}: partial`;
}
