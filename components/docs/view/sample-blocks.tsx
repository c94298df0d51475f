import { CodeBlock, CodeLines } from "@/components/ui/code-block";
import { highlighted } from "@/components/ui/highlighted";
import { Tabs } from "@/components/ui/tabs";
import type { CodeLanguage } from "@/lib/describe/code-language";
import type { Sample, SamplePlace } from "@/lib/docs/samples/sample";

/** One sample, or several equivalent ones on tabs. */
export function SampleBlocks({
  label,
  samples,
  place,
}: {
  label: string;
  samples: readonly Sample[];
  place: SamplePlace;
}) {
  const [first] = samples;
  if (!first) return null;
  if (samples.length === 1) return <SampleBlock sample={first} place={place} />;
  const tabs = samples.map((sample) => ({
    id: sample.id,
    title: sample.tab ?? sample.label,
    panel: <SampleBlock sample={sample} place={place} />,
  }));
  return (
    <div>
      <Tabs name={first.id} label={label} tabs={tabs} />
    </div>
  );
}

function SampleBlock({ sample, place }: { sample: Sample; place: SamplePlace }) {
  const { label, language, output, outputIs, unrun, needsKey, needsLiveKey } = sample;
  const notes = [
    needsKey && "Reads a use key from PARQUETRY_KEY.",
    needsLiveKey && "Reads a live key from PARQUETRY_LIVE_KEY.",
    unrun && "Not covered by our tests.",
  ].filter(Boolean);
  return (
    <div className="doc-sample">
      <CodeBlock label={label} language={language} code={sample.code(place)} />
      {output && <Output text={output} language={outputIs === "json" ? "json" : "text"} />}
      {notes.length > 0 && <p className="text-faint text-xs">{notes.join(" ")}</p>}
    </div>
  );
}

/** What a sample prints, directly below it. */
async function Output({ text, language }: { text: string; language: CodeLanguage }) {
  const lines = await highlighted(text, language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <pre tabIndex={0} className="doc-output">
      <span className="sr-only">Prints: </span>
      <samp>
        <CodeLines lines={lines} />
      </samp>
    </pre>
  );
}
