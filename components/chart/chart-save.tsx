"use client";

import { Download } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import type { ChartCaption } from "./save-chart";

const FORMS = ["svg", "png"] as const;

/**
 * Saves the chart beside it as SVG or PNG; the code for it is loaded on the first click.
 * Without a caption nothing can be saved.
 */
export function ChartSave({ caption }: { caption: ChartCaption | undefined }) {
  const [message, setMessage] = useState("");
  const now = useRef(caption);
  now.current = caption;
  const save = (form: (typeof FORMS)[number]) => async (event: MouseEvent) => {
    const figure = event.currentTarget.closest(".chart");
    if (!figure || !caption) return;
    setMessage("");
    try {
      const { saveChart } = await import("./save-chart");
      // The picture is of what is drawn by now, which another view may have taken over.
      if (now.current?.title !== caption.title || !figure.isConnected) return;
      await saveChart(figure, caption, form);
    } catch {
      setMessage(`The ${form.toUpperCase()} could not be created. Try again.`);
    }
  };
  return (
    <p className="chart-save">
      <span>Save the chart as</span>
      {FORMS.map((form) => (
        <button key={form} type="button" className="button button-small" disabled={!caption} onClick={save(form)}>
          <Download size={14} aria-hidden="true" /> {form.toUpperCase()}
        </button>
      ))}
      <span role="status">{message}</span>
    </p>
  );
}
