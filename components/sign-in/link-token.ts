"use client";

import { useEffect, useState } from "react";

/**
 * The fragment of a link's URL, removed from the address bar at once so that it appears in no history, bookmark or
 * screenshot. Undefined until it has been read.
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
