"use client";

import { Download } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import type { ChartColumn, ChartRow } from "./chart-spec";
import type { ChartCaption } from "./save-chart";

const FORMS = ["svg", "png", "csv"] as const;

/**
 * Saves the adjacent chart as SVG or PNG, or its values as CSV, as drawn when the code for saving has loaded. Nothing
 * can be saved without a caption.
 */
export function ChartSave({
  caption,
  columns,
  rows,
}: {
  caption: ChartCaption | undefined;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
}) {
  const [message, setMessage] = useState("");
  const now = useRef(caption);
  now.current = caption;
  const save = (form: (typeof FORMS)[number]) => async (event: MouseEvent) => {
    const figure = event.currentTarget.closest(".chart");
    if (!figure || !caption) return;
    setMessage("");
    try {
      const { saveChart, saveValues } = await import("./save-chart");
      // the chart drawn by now may have another caption, because the count of all rows arrives after the first rows
      if (!now.current || !figure.isConnected)
        return setMessage("The chart changed before it was saved. Save it again.");
      if (form === "csv") saveValues(columns, rows, figure, now.current);
      else await saveChart(figure, now.current, form);
    } catch {
      setMessage(`The ${form.toUpperCase()} could not be created. Try again.`);
    }
  };
  return (
    <p className="chart-save needs-script">
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
