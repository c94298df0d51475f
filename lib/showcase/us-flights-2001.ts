import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaVersion } from "./vega-datasets";

const DESCRIPTION = `Three million domestic flights of large US airlines from January to June 2001: when each left, \
how late it arrived, how far it flew, and between which airports.

## How it was collected

Airlines of a certain size must report every scheduled domestic flight to the US Department of Transportation (14 CFR \
Part 234); its Bureau of Transportation Statistics publishes the reports month by month. The vega-datasets project \
took these months of 2001, omitted cancelled flights and flights without an arrival delay, and kept exactly 3,000,000 \
of them (its script samples at random) with five columns. Each row is one flight; there is no flight number, airline \
or aircraft, so rows are not uniquely identified.

## What to know before using it

- \`date\` is the **actual** departure (scheduled time plus departure delay) to the minute, in the **local time of the \
origin airport**. It carries no zone: the Z that files and replies write after it is only a label, and two airports' \
times cannot be subtracted.
- \`delay\` is the **arrival** delay. Negative means early; the median is −1 minute, and 20.9 % of flights were at \
least 15 minutes late.
- The extremes are odd: the smallest delay is −1,116 minutes, the next −953 and −212; then come values near −87. 142 \
flights are reported more than an hour early. The early extremes look like date errors in the reports and were left as \
they are. The largest delay is 1,688 minutes.
- 191 pairs of rows are equal in every column. They are most likely different flights that happen to agree in the few \
columns kept.
- Six flights have the time 2001-07-01 00:00, the very end of the period; there is nothing after it.
- No value is missing. 229 airports appear as origins, 228 as destinations.

## What it is good for

Time series by hour, day and month; delay distributions with a long tail; routes and hubs (Chicago O'Hare, Dallas/Fort \
Worth and Atlanta lead); trying a query over a few million rows. It ends before the attacks of September 2001 changed \
US air traffic.

## Licence

The source states no licence terms. The figures are collected and published by a US federal agency, hence "US \
government work".`;

/** US domestic flights, January to June 2001. */
export const usFlights2001: Showcase = {
  dataset: {
    slug: "us-flights-2001",
    title: "US domestic flights, January to June 2001",
    summary:
      "Three million flights of US airlines with departure time, arrival delay, distance and route: a sample " +
      "of the on-time reports to the Bureau of Transportation Statistics.",
    description: DESCRIPTION,
    publisher: { name: "US Bureau of Transportation Statistics", url: "https://www.bts.gov" },
    license: "US government work",
    topics: ["transport", "aviation", "time series", "united states"],
    sources: [
      {
        name: "Airline On-Time Performance Data, Bureau of Transportation Statistics",
        url: "https://www.transtats.bts.gov/DL_SelectFields.asp?gnoyr_VQ=FGJ&QO_fu146_anzr=b0-gvzr",
      },
      VEGA_SOURCE,
    ],
    temporalCoverage: "2001-01-01/2001-07-01",
  },
  tables: [
    {
      slug: "flights",
      name: "Flights",
      description: "One row per flight, sorted by departure time.",
      columns: [
        {
          name: "date",
          type: "timestamp",
          description: "Actual departure, to the minute, in local time of the origin airport (no time zone is given).",
        },
        {
          name: "delay",
          description:
            "Arrival delay relative to the schedule; negative if early. Extremes below −90 are probably " +
            "reporting errors.",
          unit: "min",
        },
        { name: "distance", description: "Distance between the two airports.", unit: "mi" },
        { name: "origin", description: "IATA code of the airport of departure." },
        { name: "destination", description: "IATA code of the airport of arrival." },
      ],
      orderBy: ["date"],
      versions: [vegaVersion("flights-3m.parquet")],
    },
  ],
};
