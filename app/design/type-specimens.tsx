import { Specimen } from "./specimen";

const SIZES = [
  { look: "text-4xl", text: "What the page is about" },
  { look: "text-3xl", text: "A page of the account" },
  { look: "text-2xl", text: "A form of one purpose" },
  { look: "text-xl", text: "A part of a page" },
  { look: "text-lg", text: "A summary, an entry’s title" },
  { look: "text-base", text: "Running text: 3,000,000 rows" },
  { look: "text-sm", text: "Dense text, tables and controls" },
  { look: "text-xs", text: "Times, units and hints" },
] as const;
const SHAPES = ["rounded-sm", "rounded-md", "rounded-lg", "rounded-full", "shadow-raised", "shadow-overlay"] as const;
const SPACES = ["w-1", "w-2", "w-3", "w-4", "w-6", "w-8", "w-12", "w-16"] as const;

/** Sizes of type, steps of space, corners and heights. */
export function TypeSpecimens() {
  return (
    <>
      <Specimen title="Type">
        <ul className="space-y-2.5">
          {SIZES.map(({ look, text }) => (
            <li key={look} className="flex items-baseline gap-4">
              <span className="w-20 shrink-0 font-mono text-[0.6875rem] text-faint">{look}</span>
              <span className={`min-w-0 ${look} ${/xl|lg/.test(look) ? "font-semibold tracking-tight" : ""}`}>
                {text}
              </span>
            </li>
          ))}
          <li className="flex items-baseline gap-4">
            <span className="w-20 shrink-0 font-mono text-[0.6875rem] text-faint">font-mono</span>
            <code className="wrap-anywhere min-w-0 font-mono text-[0.8125rem]">sha256:9f86d081884c7d659a2feaa0</code>
          </li>
        </ul>
      </Specimen>
      <Specimen title="Space, corners, heights">
        <ul className="flex flex-wrap items-end gap-3">
          {SPACES.map((look) => (
            <li key={look} className="text-center font-mono text-[0.6875rem] text-faint">
              <div className={`mx-auto h-4 bg-bar ${look}`} />
              {look.slice(2)}
            </li>
          ))}
        </ul>
        <ul className="mt-6 grid grid-cols-2 gap-5 sm:grid-cols-3">
          {SHAPES.map((look) => (
            <li
              key={look}
              className={
                "grid h-14 place-items-center border border-line bg-raised font-mono text-[0.6875rem] text-muted " +
                `${look}`
              }
            >
              {look}
            </li>
          ))}
        </ul>
      </Specimen>
    </>
  );
}
