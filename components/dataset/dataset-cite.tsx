import { Download } from "lucide-react";
import { CitedText } from "@/components/ui/cited-text";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import type { DatasetCitation } from "@/lib/schemas/dataset";

interface Props {
  citation: DatasetCitation;
  /** Used in the names of the files; undefined for a private dataset, of which there are none. */
  fileName: string | undefined;
  chosen?: string | undefined;
}

/** How to cite immutable versions, as text and as files for reference managers. */
export function DatasetCite({ citation, fileName, chosen }: Props) {
  const tabs = [
    { id: "text", title: "Text", panel: <CitedText text={citation.text} /> },
    { id: "bibtex", title: "BibTeX", panel: <CodeBlock code={citation.bibtex} language="text" label="BibTeX entry" /> },
    {
      id: "ris",
      title: "RIS",
      panel: <CodeBlock code={citation.ris.replaceAll("\r\n", "\n")} language="text" label="RIS record" />,
    },
  ];
  return (
    <>
      <Tabs name="cite" label="Citation" tabs={tabs} chosen={chosen} parameter="cite" />
      {fileName !== undefined && (
        <p className="mt-3 flex flex-wrap gap-2">
          {["bib", "ris", "json", "cff"].map((form) => (
            <a
              key={form}
              className="button button-small"
              href={`${new URL(citation.url).pathname}/cite.${form}`}
              download={`${fileName}.${form}`}
            >
              <Download size={15} aria-hidden="true" />
              {fileName}.{form}
            </a>
          ))}
        </p>
      )}
    </>
  );
}
