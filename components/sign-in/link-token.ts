"use client";

import { useEffect, useState } from "react";

/**
 * What stands behind `#` in the address of a link, taken out of the address bar at once: it gets into no history,
 * bookmark or screenshot.
 * Undefined until the page has looked.
 */
export function useLinkParameters(): URLSearchParams | undefined {
  const [found, setFound] = useState<URLSearchParams>();
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    setFound((before) => before ?? new URLSearchParams(hash.slice(1)));
    if (hash) window.history.replaceState(window.history.state, "", pathname + search);
  }, []);
  return found;
}
