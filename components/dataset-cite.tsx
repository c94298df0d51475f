import type { Dataset } from "@/lib/schemas/dataset";
import { CitedText } from "./cited-text";
import { CodeBlock } from "./code-block";
import { Tabs } from "./tabs";

/** How to cite the dataset's current versions. */
export function DatasetCite({ citation }: { citation: Dataset["citation"] }) {
  const tabs = [
    { id: "text", title: "Text", panel: <CitedText text={citation.text} /> },
    { id: "bibtex", title: "BibTeX", panel: <CodeBlock code={citation.bibtex} language="text" label="BibTeX entry" /> },
  ];
  return <Tabs name="cite" label="Citation" tabs={tabs} />;
}
