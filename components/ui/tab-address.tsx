"use client";

import { useEffect, useRef } from "react";

/** Writes the chosen tab of its fieldset to the URL, replacing the previous one: also one chosen before scripts ran. */
export function TabAddress({ parameter }: { parameter: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tabs = place.current?.closest("fieldset");
    const write = (chosen: HTMLInputElement) => {
      const address = new URL(window.location.href);
      address.searchParams.set(parameter, chosen.value);
      window.history.replaceState(null, "", address);
    };
    const note = ({ target }: Event) => {
      if (target instanceof HTMLInputElement) write(target);
    };
    const earlier = tabs?.querySelector<HTMLInputElement>("input[type=radio]:checked");
    if (earlier && !earlier.defaultChecked) write(earlier);
    tabs?.addEventListener("change", note);
    return () => tabs?.removeEventListener("change", note);
  }, [parameter]);
  return <span ref={place} hidden />;
}
