import { type Json, jsonLines, pythonLines } from "@/lib/describe/snippet-text";
import { curlQuery } from "@/lib/describe/snippets";
import { keyedAddress, queryAddress, type Sample, type SampleDataset } from "./sample";

interface Query {
  id: string;
  label: string;
  dataset: SampleDataset;
  body: { readonly [key: string]: Json };
  /** Its reply as curl prints it. */
  output?: string;
  needsKey?: true;
}

/** A query with curl. */
export const curlSample = ({ id, label, dataset, body, output, needsKey }: Query): Sample => ({
  id,
  label,
  tab: "curl",
  language: "shellscript",
  ...(needsKey && { needsKey }),
  ...(output && { output, outputIs: "json" }),
  code: (place) =>
    needsKey ? curlQuery(keyedAddress(place, dataset), body, true) : curlQuery(queryAddress(place, dataset), body),
});

/** The same query with JavaScript; it prints the rows. */
export const javascriptSample = ({ id, label, dataset, body }: Query, output: string): Sample => ({
  id: `${id}-javascript`,
  label,
  tab: "JavaScript",
  language: "javascript",
  output,
  code: (place) =>
    [
      `const response = await fetch(${JSON.stringify(queryAddress(place, dataset))}, {`,
      '  method: "POST",',
      '  headers: { "content-type": "application/json" },',
      `  body: JSON.stringify(${jsonLines(body, "  ")}),`,
      "});",
      "const page = await response.json();",
      "if (!response.ok) throw new Error(page.message);",
      "for (const row of page.rows) console.log(JSON.stringify(row));",
    ].join("\n"),
});

/** The same query with Python's standard library; it prints the rows, with Python's spaces. */
export const pythonSample = ({ id, label, dataset, body }: Query, output: string): Sample => ({
  id: `${id}-python`,
  label,
  tab: "Python",
  language: "python",
  output: output.replaceAll('":', '": ').replaceAll(',"', ', "'),
  code: (place) =>
    [
      "import json, urllib.request",
      "",
      `query = ${pythonLines(body)}`,
      "request = urllib.request.Request(",
      `    ${JSON.stringify(queryAddress(place, dataset))},`,
      "    data=json.dumps(query).encode(),",
      '    headers={"content-type": "application/json"},',
      ")",
      "with urllib.request.urlopen(request) as response:",
      "    page = json.load(response)",
      'for row in page["rows"]:',
      "    print(json.dumps(row, ensure_ascii=False))",
    ].join("\n"),
});
