"use client";

import { useEffect } from "react";

/** Where a button was clicked, from its top left corner, in CSS pixels; `detail` is 0 for a key. */
interface Point {
  x: number;
  y: number;
  detail: number;
}

interface EarlyWindow extends Window {
  /** What early-script.ts kept, in order. */
  earlyActions?: Map<HTMLElement, Point | undefined>;
}

/**
 * Repeats what was done to controls whose code had not loaded, each once and in order, as soon as the control is
 * interactive: first on the whole page, later in parts whose code loads afterwards.
 */
export function EarlyActions() {
  useEffect(() => {
    const early = (window as EarlyWindow).earlyActions ?? new Map<HTMLElement, Point | undefined>();
    let frame = 0;
    // one in each frame: the state that the first has changed is what the next one finds
    const repeatNext = () => {
      for (const element of early.keys()) if (!element.isConnected) early.delete(element);
      const next = [...early].find(([element]) => isLive(element));
      if (next) {
        early.delete(next[0]);
        repeat(...next);
      }
      frame = early.size > 0 ? requestAnimationFrame(repeatNext) : 0;
    };
    const watch = () => {
      if (frame === 0) frame = requestAnimationFrame(repeatNext);
    };
    repeatNext();
    for (const type of EVENTS) addEventListener(type, watch, true);
    return () => {
      cancelAnimationFrame(frame);
      for (const type of EVENTS) removeEventListener(type, watch, true);
    };
  }, []);
  return null;
}

const EVENTS = ["click", "input", "submit"] as const;

/** React marks the elements that it has hydrated. */
const isLive = (element: HTMLElement): boolean => Object.keys(element).some((key) => key.startsWith("__reactProps"));

function repeat(element: HTMLElement, point: Point | undefined): void {
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else if (element instanceof HTMLInputElement && element.type === "checkbox") chooseAgain(element, element);
  else if (element instanceof HTMLInputElement && element.type === "radio") chooseAgain(element, originalOf(element));
  else if (element instanceof HTMLSelectElement) element.dispatchEvent(new Event("change", { bubbles: true }));
  else if (element instanceof HTMLInputElement) typeAgain(element, HTMLInputElement.prototype);
  else if (element instanceof HTMLTextAreaElement) typeAgain(element, HTMLTextAreaElement.prototype);
  else clickAgain(element, point);
}

/** React compares a choice with the last one that it knows of: `original` is put back first. */
function chooseAgain(element: HTMLInputElement, original: HTMLInputElement | undefined): void {
  if (element.type === "radio" && !element.checked) return;
  if (original) original.checked = !original.checked;
  element.click();
}

/** The radio button of the same group that the server chose, if it is a different one. */
function originalOf({ form, name, ownerDocument }: HTMLInputElement): HTMLInputElement | undefined {
  const group = (form ?? ownerDocument).querySelectorAll<HTMLInputElement>(
    `input[type=radio][name="${CSS.escape(name)}"]`,
  );
  return [...group].find((each) => each.form === form && each.defaultChecked && !each.checked);
}

/** React compares typed text with the last one that it knows of, which it notes in its own setter of `value`. */
function typeAgain<Field extends HTMLInputElement | HTMLTextAreaElement>(field: Field, prototype: Field): void {
  const { value, selectionStart, selectionEnd } = field;
  field.value = field.defaultValue;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  if (document.activeElement === field && selectionStart !== null)
    field.setSelectionRange(selectionStart, selectionEnd);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** As a person clicked it; a submit button is not kept with a point. */
function clickAgain(button: HTMLElement, point: Point = { x: 0, y: 0, detail: 0 }): void {
  const { left, top } = button.getBoundingClientRect();
  const place = { clientX: left + point.x, clientY: top + point.y, detail: point.detail };
  button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...place }));
}
