import { type RefObject, useEffect, useState } from "react";

/** Keeps text that was typed but not registered while other pages are visited, only in this tab. */
export function useDraft(field: RefObject<HTMLTextAreaElement | null>, key: string, text: string) {
  const [isDraft, setDraft] = useState(false);
  useEffect(() => {
    const kept = stored(() => sessionStorage.getItem(key));
    if (!field.current || typeof kept !== "string" || kept === text) return;
    field.current.value = kept;
    setDraft(true);
  }, [field, key, text]);
  const keep = () => stored(() => sessionStorage.setItem(key, field.current?.value ?? ""));
  const forget = () => stored(() => sessionStorage.removeItem(key));
  const discard = () => {
    forget();
    if (field.current) field.current.value = text;
    setDraft(false);
  };
  return { isDraft, keep, forget, discard };
}

/** Nothing is kept if the browser has no storage for pages. */
function stored<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
