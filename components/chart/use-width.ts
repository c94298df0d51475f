"use client";

import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of an element in whole pixels; undefined until the browser has laid it out. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number | undefined] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width) || undefined);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
