import { parse, stringify } from "lossless-json";
import type { ChartData } from "./chart-question";

/** A chart's data as JSON with all digits, to be sent with a page; `key` identifies the view and chart. */
export interface ChartText {
  key: string;
  text: string;
}

export const writeChart = (key: string, data: ChartData): ChartText => ({ key, text: stringify(data) ?? "" });
export const readChart = ({ text }: ChartText): ChartData => parse(text) as ChartData;
