import { formatPlural } from "@/lib/kernel/format";
import { type ChartInput, keyOf, SERIES_MAX, type SeriesParts } from "./chart-data";
import { type ColourScale, colourScale, rampColour } from "./colour-scale";
import type { Drawing, Mark } from "./drawing";
import { RADIUS_LEAST, type SizeScale, sizeScale } from "./size-scale";

/** The series of points without a colour of their own. */
const GREY = SERIES_MAX;

/**
 * Marks with the looks of their rows, and what these mean. Every mark is kept: kinds beyond the distinguishable colours
 * are grey, as is what has no value to be coloured by. Large points are below small ones, low values below high ones.
 */
export function withLooks(
  input: ChartInput,
  parts: SeriesParts,
  marks: readonly Mark[],
): Pick<Drawing, "marks" | "legend" | "colours" | "sizes" | "notes"> {
  const [colours, sizes] = [colourScale(input), sizeScale(input)];
  const looks = marks.map((mark) => lookOf(mark, colours, sizes));
  const grey = colours ? looks.filter(({ level }) => level === undefined).length : 0;
  const small = sizes ? looks.filter(({ radius }) => radius === undefined).length : 0;
  return {
    marks:
      colours || sizes
        ? looks.sort((a, b) => radiusOf(b) - radiusOf(a) || levelOf(a) - levelOf(b)).map(({ mark }) => mark)
        : [...marks],
    legend: legendOf(input, parts),
    colours: colours?.legend,
    sizes: sizes?.legend,
    notes: [
      ...(grey > 0 ? [`Grey: ${formatPlural(grey, "mark")} without a value of ${input.colour?.name}.`] : []),
      ...(small > 0 ? [`Smallest: ${formatPlural(small, "point")} without a value of ${input.size?.name}.`] : []),
    ],
  };
}

interface Look {
  mark: Mark;
  /** On the colour scale. */
  level: number | undefined;
  radius: number | undefined;
}

const levelOf = ({ level = -1 }: Look): number => level;
const radiusOf = ({ radius = 0 }: Look): number => radius;

function lookOf(mark: Mark, colours: ColourScale | undefined, sizes: SizeScale | undefined): Look {
  const row = mark.row ?? -1;
  const [level, radius] = [colours?.at(row), sizes?.at(row)];
  const own = {
    ...(colours && level === undefined && { series: GREY }),
    ...(level !== undefined && { colour: rampColour(level) }),
    ...(sizes && { radius: radius ?? RADIUS_LEAST }),
  };
  return { mark: { ...mark, ...own }, level, radius };
}

function legendOf({ series, rows }: ChartInput, { shown, rest }: SeriesParts): string[] {
  if (!series) return [];
  const others = new Set(rest.map((row) => keyOf(rows[row]?.[series.name]))).size;
  return [...shown.map(({ label }) => label), ...(others > 0 ? [formatPlural(others, "other value")] : [])];
}
