"use client";

import { type ComponentType, useEffect, useRef } from "react";
import { Button } from "./button";
import { Notice } from "./notice";

/**
 * A part whose code loads when it is first used; a notice in its place if that fails, as without a connection. Without
 * this, the error page would replace the whole page.
 *
 * @example const Editor = dynamic(() => orNotLoaded(import("./editor").then((module) => module.Editor)));
 */
export const orNotLoaded = <Props,>(part: Promise<ComponentType<Props>>): Promise<ComponentType<Props>> =>
  part.catch(() => NotLoaded);

/** Comes into view, since it may be far from what was clicked. */
function NotLoaded() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={place}>
      <Notice tone="danger" title="This part could not be loaded">
        <p className="mb-3">Check your connection, then reload the page.</p>
        <Button small onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Notice>
    </div>
  );
}
