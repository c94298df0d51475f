import { type DocContent, h2, list, name, table, text } from "@/lib/docs/doc";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";
import { formatCount } from "@/lib/kernel/format";

const EXAMPLE = "/datasets/us-flights-2001/flights";

/** The parameters in the URL of a view, in the order in which the explorer writes them. */
const PARAMETERS: readonly (readonly [parameter: string, meaning: string, example: string])[] = [
  ["filter", "A column, an operator and its value; one parameter per filter, all must match.", "filter=delay:gte:60"],
  ["", "`~` after the operator ignores case.", "filter=origin:eq~:ord"],
  ["", "Values of a list are separated by commas.", "filter=origin:in:ORD,LAX"],
  ["search", "A word or phrase that a row must contain in any of its text columns.", "search=patent"],
  ["searchin", "The columns to search.", "searchin=name,license_text"],
  ["columns", "The columns to show, in this order.", "columns=date,origin,delay"],
  [
    "group",
    "Columns to group by, optionally with a bucket or width and a name for the group.",
    "group=date:month:month,origin",
  ],
  ["", "A number after a column is the width of its ranges.", "group=delay:30"],
  ["agg", "A function, its column (none for `count`) and the name of the result.", "agg=avg:delay:mean_delay"],
  ["", "`quantile` takes its fraction after an `@`.", "agg=quantile@0.9:delay:p90"],
  [
    "aggfilter",
    "A condition on the rows that one result counts: its name, then a filter.",
    "aggfilter=late:delay:gt:60",
  ],
  ["having", "A condition on groups, by the name of a result.", "having=flights:gte:1000"],
  ["sort", "Columns to sort by; `-` sorts in descending order.", "sort=-delay,date"],
  ["row", "The number of the first row shown.", "row=1000001"],
  ["limit", "The number of rows or groups.", "limit=10"],
  [
    "chart",
    "A kind (`line`, `bar`, `histogram`, `scatter`, `map`), its columns for x, y and colour, and `log` for a " +
      "logarithmic axis.",
    "chart=line:date:delay:origin:log",
  ],
  [
    "",
    "Without a column for y, rows are counted; a bucket at the end sets the period of the count.",
    "chart=line:date::::month",
  ],
  ["", "After it, the column that sizes points.", "chart=map:longitude:latitude:mag:::sig"],
  ["", "`auto` is the most suitable chart.", "chart=auto::"],
  ["title", "A title of your own for the chart or frame.", "title=Flights+per+month"],
  ["note", "A note below it.", "note=Departures+alone."],
  ["xlabel, ylabel", "Labels of your own for its axes.", "ylabel=Flights"],
  ["version", "A version instead of the current one.", "version=0f4b1b9e-…"],
];

export const explorer: DocContent = ({ settings }) => [
  text(
    "Every table has a page at `/datasets/{slug}/{table}` where you filter, group, sort and chart it without code. " +
      "It sends the same queries as a program would, shows them as code, and keeps the view in its URL: copy the URL " +
      "to share or cite exactly what you see.",
  ),
  h2("filters", "Filter and find"),
  list(
    "**Filter** takes one condition at a time; the number of matching rows is shown next to the filters.",
    "**Find in rows** looks for a word or phrase in every text column, in any case.",
    "**Ignore case** makes `ord` match `ORD`; it is on by default for filters that look for part of a value.",
    "In a timestamp column, a date such as `2001-06-29` means the whole day. A time can be written as the grid shows " +
      "it: `2001-06-29 14:30`. All times are UTC.",
    "Select a cell to read all of it below the grid, however long, and to keep or exclude its value.",
    "**Go to row** below the grid jumps to a row by its number in the view, up to 1,000,001; more rows load from " +
      "there as you scroll, or with **Next rows**.",
    "Every row has a page of its own at `/datasets/{slug}/{table}/rows/{position}?version=…`, with every column, a " +
      "citation and **Go to row**; where no filter or sort order is set, the row's number below the grid links to it.",
  ),
  h2("groups", "Group and count"),
  text(
    "**Group** shows one row per value of the columns you choose. For dates and times it offers buckets, starting " +
      "with the one that best fits the column:",
  ),
  table(
    "Buckets",
    ["Bucket", "One group per"],
    Object.entries(BUCKETS).map(([bucket, { english }]) => [name(bucket), english]),
  ),
  list(
    "A column of numbers can be grouped into ranges of equal width.",
    "Each result (count, sum, mean, share, quantile …) can have its own conditions, so one table can compare all " +
      "flights with the late ones.",
    "A condition on groups keeps those whose result matches, for example at least 1,000 flights.",
    "**Rows of this group** shows the rows behind a group.",
  ),
  h2("charts", "Draw a chart"),
  text(
    "**Chart** draws the view: lines, bars, histograms and scatter plots, with a column for colours. A chart always " +
      `covers all rows of the view, however few of them the page shows. Up to ${formatCount(settings.ROWS_CHART)} ` +
      "rows are drawn individually; more are aggregated, and the text above the chart says how: `All 3,000,000 rows, " +
      "counted per day`. For flights per month, choose a line, the date for the x axis, the number of rows for the y " +
      "axis, and *per month*.",
  ),
  list(
    "Where outliers would squeeze a histogram, its bars divide the range between the 1st and the 99th percentile " +
      "evenly; all values below and above it form one bar at each end.",
    "To zoom, drag over a part of the chart, or hold Shift with the arrow keys and press Enter. The range becomes a " +
      "filter, and the chart is redrawn with finer steps; `-` returns to the full range.",
    "In scatter plots and on maps, a column of numbers or times colours points continuously, and a column of numbers " +
      "sizes them. Every point is drawn: of many kinds, the eight most frequent have colours and the others are " +
      "grey. " +
      "Lines and bars of many kinds are limited, and the text above the chart says to how many: `8 of 229 values of " +
      "origin`.",
    "Rows with the same place on a line or bar are averaged. A line breaks where a period has no rows; a first or " +
      "last period that has rows for a part of it alone is hollow, and a note says where its rows end.",
    "Select a mark to see the rows behind it.",
    "**Title, axes and note** are your own words, which are kept in the URL. They apply as soon as you leave a field.",
    "**Save the chart as** SVG, PNG or CSV: each file names the source, the version, its digest and the view’s " +
      "address, so " +
      "that it can be cited. In the CSV they follow the values after an empty line.",
    "**Embed** gives HTML that shows the same chart on another site.",
  ),
  h2("maps", "Draw a map"),
  text(
    "Tables with longitude and latitude columns in degrees offer **Map**. Each row is a point; with more than " +
      `${formatCount(settings.ROWS_CHART)} rows, cells are shaded by the number of rows in them, or coloured by an ` +
      "average. Drag a rectangle to " +
      "see only the places in it: it becomes two filters. Maps are saved and embedded like charts. To choose other " +
      "columns, use `chart=map:LONGITUDE:LATITUDE`.",
  ),
  h2("share", "Share a view"),
  text(
    "The URL is the view: copy it, or press **Share**. When signed in, you can create a short link, `/v/…`, with its " +
      "own title. Anyone can open it as long as the table is public; it follows new versions unless the view names " +
      "one. **Embed** takes a title and a caption for the frame.",
  ),
  h2("save", "Save data as a file: Excel, CSV, GeoJSON"),
  list(
    "**Download** in the explorer saves the view as it is, with its filters, order and groups: " +
      `${[...PAGE_FORMATS, JSON_FORMAT].map(({ label }) => label).join(", ")}. GeoJSON is offered where the ` +
      "result has longitudes and latitudes. The file begins with the view’s first row and holds as many rows as your " +
      "[limits](/docs/limits) allow.",
    "**Download** on a dataset’s page, and **The whole table …** in the same menu, save every row as CSV, which any " +
      "spreadsheet opens, or as Parquet. This requires an account: if you have none, you sign up and return to the " +
      "file.",
    "The same page offers the whole dataset as a .zip: all its tables, as CSV or Parquet, with their schemas, the " +
      "licence text, the citation and the SHA-256 of each file.",
    "Excel opens at most 1,048,576 rows; from a larger table, save a filtered or grouped view.",
  ),
  h2("embed", "Embed a chart or table in another site"),
  text(
    "**Embed** shows HTML to paste into an article or a web page. The frame shows the view as a chart, a map or " +
      "rows, with a title and caption of your own and the source below. It needs no account and no script, and " +
      "follows new versions unless the view names one. A chart is drawn for the width of its frame; of rows, it " +
      "shows the first 50, or as many as the view asks for, and says out of how many.",
  ),
  h2("compare", "Compare two versions"),
  text(
    "Each publication of a table is a version that never changes; the link below the latest ones on a dataset’s page " +
      "lists them all. Choose two and press **Compare**: you see which columns differ, how many rows were added, " +
      "removed and changed, and examples of each; in a changed cell, the difference is highlighted. **CSV** and " +
      "**Parquet** below download [every row that differs](/docs/versions#difference).",
  ),
  h2("follow", "Follow a dataset: feed, email"),
  list(
    "**Atom feed** on the page of versions announces each new one with what changed; add its URL to any feed reader " +
      "(RSS). [/datasets.atom](/datasets.atom) announces new datasets.",
    "When you are signed in, **Watches** in the settings calls a [webhook](/docs/news) when a dataset has a " +
      `release${settings.SMTP_URL === undefined ? "" : ", or sends you an email"}.`,
  ),
  h2("limits", "Without an account, and with one"),
  text(
    "Without an account you see the first rows or groups of a view, up to the [limits](/docs/limits). When you are " +
      "signed in, your session is the credential, with a quota of your own; there is nothing to paste. To use " +
      "somebody else’s key, paste it: it is checked before it is used.",
  ),
  h2("address", "The URL of a view"),
  text(
    `The part after the question mark describes the view. \`${EXAMPLE}?group=origin&agg=count::flights&` +
      "sort=-flights&limit=10` lists the ten airports with the most departures. Parts that a table cannot use are " +
      "left out, and the page says so.",
  ),
  table(
    "Parameters of a view",
    ["Parameter", "Meaning", "Example"],
    PARAMETERS.map(([parameter, meaning, example]) => [parameter && name(parameter), meaning, name(example)]),
  ),
  text(
    "`%`, `:` and `,` within names and list values are percent-encoded twice, as is `-` at the start of a name. " +
      "Operators and functions are those of the [query grammar](/docs/query).",
  ),
];
