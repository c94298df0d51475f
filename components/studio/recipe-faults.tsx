"use client";

import { useEffect, useState } from "react";
import type { Problem } from "@/components/form/call-api";
import { Notice } from "@/components/ui/notice";
import { faultLines } from "@/lib/describe/fault-lines";
import { formatPlural } from "@/lib/kernel/format";

export interface Placed {
  pointer: string;
  message: string;
}

interface Props {
  problem: Problem;
  /** The text that was sent. */
  text: string;
  /** Absent where the text is not shown, so that its lines mean nothing. */
  onLine?: ((line: number) => void) | undefined;
  /** Not announced, because nobody asked for it now. */
  isQuiet?: boolean;
}

/** What is wrong with a recipe, each problem with a button that goes to its line. */
export function RecipeFaults({ problem: { message, faults = [] }, text, onLine, isQuiet = false }: Props) {
  if (faults.length === 0)
    return (
      <Notice tone="danger" isQuiet={isQuiet}>
        {message}
      </Notice>
    );
  return (
    <Notice tone="danger" title={formatPlural(faults.length, "problem")} isQuiet={isQuiet}>
      <PlacedList places={faults} text={text} onLine={onLine} />
    </Notice>
  );
}

interface ListProps {
  places: readonly Placed[];
  text: string;
  onLine?: ((line: number) => void) | undefined;
}

/** Sentences about places in a recipe, in the order of its lines. */
export function PlacedList({ places, text, onLine }: ListProps) {
  const lines = useLines(places, text);
  const lineOf = ({ pointer }: Placed): number => lines.get(pointer) ?? 0;
  return (
    <ul className="mt-1 space-y-1.5">
      {[...places]
        .sort((a, b) => lineOf(a) - lineOf(b))
        .map((place) => (
          <li key={`${place.pointer} ${place.message}`} className="wrap-anywhere">
            {onLine && lineOf(place) > 0 && (
              <button type="button" className="link mr-2 font-medium" onClick={() => onLine(lineOf(place))}>
                Line {lineOf(place)}
              </button>
            )}
            {place.message} <code className="font-mono text-[0.75rem] text-muted">{place.pointer}</code>
          </li>
        ))}
    </ul>
  );
}

function useLines(places: readonly Placed[], text: string): ReadonlyMap<string, number> {
  const [lines, setLines] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    if (places.length === 0) return;
    let isOver = false;
    const pointers = places.map(({ pointer }) => pointer);
    faultLines(text, pointers).then(
      (found) => isOver || setLines(found),
      () => undefined, // the pointers also show where the problems are
    );
    return () => {
      isOver = true;
    };
  }, [places, text]);
  return lines;
}
