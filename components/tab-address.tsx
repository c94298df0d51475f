"use client";

import { useEffect, useRef } from "react";

/** Writes the chosen tab of the fieldset it stands in to the address, in place of the tab before. */
export function TabAddress({ parameter }: { parameter: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tabs = place.current?.closest("fieldset");
    const note = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return;
      const address = new URL(window.location.href);
      address.searchParams.set(parameter, target.value);
      window.history.replaceState(null, "", address);
    };
    tabs?.addEventListener("change", note);
    return () => tabs?.removeEventListener("change", note);
  }, [parameter]);
  return <span ref={place} hidden />;
}
