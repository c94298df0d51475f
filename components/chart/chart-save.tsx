"use client";

import { Download } from "lucide-react";
import { type MouseEvent, useState } from "react";
import type { ChartCaption } from "./save-chart";

const FORMS = ["svg", "png"] as const;

/** Saves the chart beside it as SVG or PNG; what it takes to do so is loaded on the first click. */
export function ChartSave({ caption }: { caption: ChartCaption }) {
  const [said, setSaid] = useState("");
  const save = (form: (typeof FORMS)[number]) => async (event: MouseEvent) => {
    const figure = event.currentTarget.closest(".chart");
    if (!figure) return;
    setSaid("");
    try {
      const { saveChart } = await import("./save-chart");
      await saveChart(figure, caption, form);
    } catch {
      setSaid(`The ${form.toUpperCase()} could not be made. Try again.`);
    }
  };
  return (
    <p className="chart-save">
      <span>Save the chart as</span>
      {FORMS.map((form) => (
        <button key={form} type="button" className="button button-small" onClick={save(form)}>
          <Download size={14} aria-hidden="true" /> {form.toUpperCase()}
        </button>
      ))}
      <span role="status">{said}</span>
    </p>
  );
}
