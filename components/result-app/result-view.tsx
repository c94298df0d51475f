import type { AppResult } from "./app-result";
import { ComparisonView } from "./comparison-view";
import { RowsView } from "./rows-view";
import { VersionsView } from "./versions-view";

interface Props {
  result: AppResult;
  /** Asks the host to open a URL. */
  open(url: string): void;
}

/** A result of one of the tools that the app is for. */
export function ResultView({ result, open }: Props) {
  if (result.kind === "rows") return <RowsView result={result} open={open} />;
  if (result.kind === "versions") return <VersionsView result={result} open={open} />;
  return <ComparisonView result={result} open={open} />;
}

/** Results without a chart or table, such as errors, as the model reads them. */
export function PlainText({ text }: { text: string }) {
  return (
    <main className="embed-main">
      <h1 className="result-hidden">Result</h1>
      <p className="result-text">{text}</p>
    </main>
  );
}
