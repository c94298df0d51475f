import { Specimen } from "./specimen";

const SURFACES = ["bg-paper", "bg-surface", "bg-raised", "bg-line", "bg-line-strong", "bg-mark"] as const;
const INKS = [
  { look: "text-ink", use: "what is read" },
  { look: "text-muted", use: "what explains it" },
  { look: "text-faint", use: "what can be done without" },
  { look: "text-accent", use: "links and actions" },
  { look: "text-ok", use: "what is as it should be" },
  { look: "text-info", use: "what is good to know" },
  { look: "text-notice", use: "what is out of the ordinary" },
  { look: "text-warning", use: "what to look out for" },
  { look: "text-danger", use: "what went wrong" },
] as const;
const ACCENTS = ["bg-accent", "bg-accent-strong", "bg-accent-soft", "bg-bar", "bg-bar-null"] as const;
const STATUSES = ["bg-ok-soft", "bg-info-soft", "bg-notice-soft", "bg-warning-soft", "bg-danger-soft"] as const;
const CHART = [
  "bg-chart-1",
  "bg-chart-2",
  "bg-chart-3",
  "bg-chart-4",
  "bg-chart-5",
  "bg-chart-6",
  "bg-chart-7",
  "bg-chart-8",
] as const;

/** Every colour by its name. */
export function ColourSpecimens() {
  return (
    <Specimen title="Colours">
      <Swatches looks={SURFACES} />
      <Swatches looks={ACCENTS} />
      <Swatches looks={STATUSES} />
      <Swatches looks={CHART} />
      <dl className="mt-5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {INKS.map(({ look, use }) => (
          <div key={look} className="contents">
            <dt className="font-mono text-faint text-xs leading-[1.375rem]">{nameOf(look)}</dt>
            <dd className={look}>{use}</dd>
          </div>
        ))}
      </dl>
    </Specimen>
  );
}

function Swatches({ looks }: { looks: readonly string[] }) {
  return (
    <ul className="mt-3 grid grid-cols-4 gap-3 first:mt-0 sm:grid-cols-8 lg:grid-cols-6 xl:grid-cols-8">
      {looks.map((look) => (
        <li key={look} className="min-w-0">
          <div className={`swatch ${look}`} />
          <p className="wrap-anywhere mt-1 font-mono text-[0.6875rem] text-muted leading-4">{nameOf(look)}</p>
        </li>
      ))}
    </ul>
  );
}

const nameOf = (look: string): string => look.replace(/^(?:bg|text)-/, "");
