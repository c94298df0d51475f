"use client";

import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { announce } from "@/components/ui/toast";

const FIRST_MS = 4_000;
const SLOWER = 1.2;
const SLOWEST_MS = 60_000;

/**
 * Refreshes the page every few seconds while it is visible, gradually less often until the reader returns to it, and
 * immediately on demand. `at` is the time of the figures.
 */
export function LiveRefresh({ at }: { at: string }) {
  const router = useRouter();
  const [pending, startRefresh] = useTransition();
  const asked = useRef(false);
  useEffect(() => keepFresh(() => startRefresh(() => router.refresh())), [router]);
  useEffect(() => {
    if (pending || !asked.current) return;
    asked.current = false;
    announce("Figures updated.");
  }, [pending]);
  const ask = () => {
    asked.current = true;
    startRefresh(() => router.refresh());
  };
  return (
    <div className="flex items-center gap-3 text-muted text-xs tabular-nums">
      <span>as of {at}</span>
      <Button small onClick={ask}>
        <RefreshCw size={14} aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}

/** Calls `refresh` repeatedly while the page is visible; returns the function that stops it. */
function keepFresh(refresh: () => void): () => void {
  let delay = FIRST_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (document.visibilityState === "visible") refresh();
      delay = Math.min(delay * SLOWER, SLOWEST_MS);
      wait();
    }, delay);
  };
  const cameBack = () => {
    if (document.visibilityState !== "visible") return;
    delay = FIRST_MS;
    refresh();
    wait();
  };
  wait();
  window.addEventListener("focus", cameBack);
  document.addEventListener("visibilitychange", cameBack);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("focus", cameBack);
    document.removeEventListener("visibilitychange", cameBack);
  };
}
