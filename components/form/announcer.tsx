"use client";

import { useEffect, useState } from "react";

const SAID = "parquetry:said";
const SHOWN_MS = 6000;

/** Shows and reads out what was done, wherever on the page it was done. */
export const announce = (text: string): void => {
  window.dispatchEvent(new CustomEvent(SAID, { detail: text }));
};

/** The place where it is shown; one a page. */
export function Announcer() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (event: Event) => {
      clearTimeout(timer);
      setSaid((event as CustomEvent<string>).detail);
      timer = setTimeout(() => setSaid(""), SHOWN_MS);
    };
    window.addEventListener(SAID, say);
    return () => {
      clearTimeout(timer);
      window.removeEventListener(SAID, say);
    };
  }, []);
  return (
    <p
      role="status"
      className={said ? "fixed bottom-4 left-4 z-30 max-w-[calc(100vw-2rem)] rounded-md bg-ink px-4 py-2.5 text-paper text-sm shadow-lg" : "sr-only"}
    >
      {said}
    </p>
  );
}
