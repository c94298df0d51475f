import type { Block, DocContent } from "@/lib/docs/doc";
import { h2, h3, list, table, text } from "@/lib/docs/doc";
import { formatCount } from "@/lib/kernel/format";
import { NPM_CLIENT_PATH, PYTHON_CLIENT_PATH } from "@/lib/openapi/clients";

const TABLE = "earthquakes-2018/events";

const code = (label: string, language: "python" | "javascript" | "r" | "shellscript", ...lines: string[]): Block => ({
  kind: "code",
  label,
  language,
  code: lines.join("\n"),
});

export const clients: DocContent = ({ place: { base }, settings }) => [
  text(
    "Small clients without dependencies, served by this service and preset to its URL. They read queries page by " +
      "page and download whole files, resuming interrupted downloads and checking them against the published digest. " +
      "Keep your use key in the environment variable `PARQUETRY_KEY`; without one, pages hold " +
      `${formatCount(settings.ROWS_ANONYMOUS)} rows and whole files are not available.`,
  ),
  h2("python", "Python"),
  text("One file for Python 3.9 and newer. Put it next to your program:"),
  code("Get the file", "shellscript", `curl -fsSO ${base}${PYTHON_CLIENT_PATH}`),
  text(
    "`table.rows()` reads all rows of a table in Python, or those of a query, page by page; `to_pandas` and similar " +
      "methods put them into a data frame, and `download` saves the whole table as a file:",
  ),
  code(
    "Read a table in Python",
    "python",
    "from parquetry import Parquetry",
    "",
    "service = Parquetry()",
    `table = service.table("${TABLE}")`,
    'strong = [{"column": "mag", "operator": "gte", "value": 6}]',
    'for row in table.rows(columns=["time", "place", "mag"], filters=strong):',
    "    print(row)",
    'by_day = table.to_pandas(group_by=[{"column": "time", "bucket": "day", "as": "day"}],',
    '                         aggregates=[{"function": "count", "as": "n"}])',
    'table.download("earthquakes.parquet")',
  ),
  list(
    "`service.search(words)`, `service.dataset(slug)`, `table.schema()` and `table.versions()` describe what is " +
      "available.",
    "`to_pandas`, `to_polars` and `to_arrow` return a data frame of a query or, without a query, of the whole table. " +
      "Each needs the package of that name. With pyarrow, pandas reads whole files; without it, it reads pages.",
    "Integers and booleans use the pandas types that can hold missing values, so no digit is lost.",
    "Values keep their digits: decimals are `Decimal`; dates and times are those of `datetime`.",
    `\`python parquetry.py ${TABLE} earthquakes.parquet\` downloads from a terminal.`,
  ),
  h2("javascript", "JavaScript"),
  text("An npm package for Node 20 and newer, with types made from the OpenAPI document:"),
  code("Install", "shellscript", `npm install ${base}${NPM_CLIENT_PATH}`),
  code(
    "Read a table in JavaScript",
    "javascript",
    'import { Parquetry } from "parquetry";',
    "",
    "const service = new Parquetry();",
    `const table = await service.table("${TABLE}");`,
    'const filters = [{ column: "mag", operator: "gte", value: 6 }];',
    "for await (const row of table.rows({ filters })) console.log(row.place, row.mag);",
    'await table.download("earthquakes.parquet");',
  ),
  text("Integers that do not fit in a number are BigInts (Node 21 and newer)."),
  h3("command", "In a terminal"),
  code(
    "The command of the package",
    "shellscript",
    `npx --package=${base}${NPM_CLIENT_PATH} parquetry search bird strikes`,
    `npx --package=${base}${NPM_CLIENT_PATH} parquetry query ${TABLE} '{"limit": 5}'`,
  ),
  h2("r", "R"),
  text(
    "No client is needed; `httr2` sends queries, and `nanoparquet` or `arrow` reads all rows from the whole table's " +
      "file:",
  ),
  code(
    "Read a table in R",
    "r",
    "library(httr2)",
    `dataset <- request("${base}/api/v2/public/datasets/earthquakes-2018") |>`,
    "  req_perform() |> resp_body_json()",
    "id <- dataset$tables[[1]]$tableId",
    `query <- list(columns = list("time", "place", "mag"), limit = 100)`,
    `rows <- request(paste0("${base}/api/public/tables/", id, "/query")) |>`,
    "  req_body_json(query) |> req_perform() |>",
    '  resp_body_json(simplifyVector = TRUE) |> getElement("rows")',
    "",
    `url <- paste0("${base}/api/v2/public/tables/", id, "/current")`,
    'key <- c("x-api-key" = Sys.getenv("PARQUETRY_KEY"))',
    'download.file(url, "earthquakes.parquet", mode = "wb", headers = key)',
    'frame <- nanoparquet::read_parquet("earthquakes.parquet")',
  ),
  h2("behaviour", "What they do for you"),
  table(
    "What the clients do",
    ["Situation", "What happens"],
    [
      [
        "More rows than one page",
        "The next page is requested with the cursor, from the same version; with a key, in the largest pages. A " +
          "program that keeps a page's `next_cursor` can continue from there with `pages(cursor=…)`, in JavaScript " +
          "`pages({ cursor })`.",
      ],
      [
        "429, 503 or a lost connection",
        "The request is repeated after `Retry-After`, up to five times, if that is at most a minute.",
      ],
      ["A download is interrupted, or the program is killed", "The next call requests only the missing bytes."],
      [
        "The bytes do not match the digest",
        "They are discarded and requested again once. A second mismatch is an error.",
      ],
      ["The service rejects a request", "An error with status, code, and every fault with its pointer."],
    ],
  ),
];
