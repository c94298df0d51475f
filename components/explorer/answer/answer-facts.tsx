"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes, formatCount, formatUtc } from "@/lib/kernel/format";
import type { Answered, Phase } from "./answer-state";
import { type Extent, loadedText } from "./extent-text";

const DIGEST_SHOWN = 15;
const QUERY_SHOWN = 12;

interface Props {
  phase: Phase;
  /** The answer to the view that is shown. */
  answered: Answered | undefined;
  /** How much of the result is loaded. */
  loaded: Extent | undefined;
  isFiltered: boolean;
  /** The page of all versions, below which each has its own; undefined for the rows of a run. */
  versionsUrl: string | undefined;
  isOld: boolean;
  children?: ReactNode;
}

/**
 * How much of the answer is loaded, what was read for it and how long it took, and the exact version that it was read
 * from.
 */
export function AnswerFacts({ phase, answered, loaded, isFiltered, versionsUrl, isOld, children }: Props) {
  const facts = answered?.facts;
  return (
    <div className="answer-facts">
      <p role="status" className="font-medium text-ink">
        {loaded ? loadedText(loaded, isFiltered) : phase === "failed" ? "No rows loaded" : "Loading…"}
        {phase === "continuing" && <span className="font-normal text-muted"> Loading more…</span>}
      </p>
      {children}
      {facts && (
        <dl>
          <Fact name="Read">{formatBytes(facts.scannedBytes)}</Fact>
          <Fact name="Time">{formatCount(facts.elapsedMs)} ms</Fact>
          {versionsUrl !== undefined && (
            <Fact name="Version">
              <Link
                className="link"
                prefetch={false}
                href={`${versionsUrl}/${facts.versionId}`}
                title={`${facts.versionId}, published ${formatUtc(facts.publishedAt)}`}
              >
                {facts.versionId.slice(0, 8)}
                {isOld ? " (older version)" : ""}
              </Link>
            </Fact>
          )}
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
