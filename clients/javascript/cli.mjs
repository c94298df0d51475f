#!/usr/bin/env node
// parquetry: reads and builds from a terminal; see `parquetry --help`
import { run } from "./command-line.mjs";
import { Parquetry } from "./parquetry.mjs";

await run(process.argv.slice(2), "http://localhost:3000", "0.0.0", Parquetry);
