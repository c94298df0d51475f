import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";

/** Wikidata's term for the number of elements, as in the specification. */
const CARDINALITY = "http://www.wikidata.org/entity/Q4049983";

interface Statistic {
  name: string;
  value: unknown;
  dataType: string;
  equivalentProperty?: string;
}

/** The number of rows, as an annotation of a record set. */
export const rowCount = (recordSet: string, rows: number): object =>
  annotation(recordSet, { name: "count", value: rows, dataType: CARDINALITY });

/** A column's profile as annotations of its field: Croissant 1.1 has statistics as fields of a constant value. */
export function columnStatistics(field: string, { type, profile }: Column, valueType: string): object {
  const row = columnTypeOf({ type });
  const isOrdered = row.profile.isOrdered && row.family !== "text";
  const statistics: Statistic[] = [
    { name: "null_count", value: profile.null_count, dataType: "sc:Integer" },
    { name: "distinct_count", value: profile.distinct_count?.value, dataType: "sc:Integer" },
    ...(isOrdered
      ? [
          { name: "min", value: profile.min, dataType: valueType, equivalentProperty: "sc:minValue" },
          { name: "max", value: profile.max, dataType: "ddi-stats:8321e79", equivalentProperty: "sc:maxValue" },
          { name: "mean", value: profile.mean, dataType: "ddi-stats:7975ed0" },
          { name: "standard_deviation", value: profile.stddev, dataType: "sc:Float" },
          { name: "median", value: profile.quantiles?.p50, dataType: valueType, equivalentProperty: "sc:median" },
        ]
      : []),
  ];
  return {
    annotation: statistics
      .filter(({ value }) => value !== undefined && value !== null)
      .map((statistic) => annotation(field, statistic)),
  };
}

const annotation = (of: string, { name, ...statistic }: Statistic): object => ({
  "@type": "cr:Field",
  "@id": `${of}/${name}`,
  name,
  ...statistic,
});
