import { autocompletion } from "@codemirror/autocomplete";
import { PostgreSQL, SQLDialect, sql } from "@codemirror/lang-sql";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** Words of DuckDB that PostgreSQL lacks. */
const WORDS =
  "anti asof columns describe exclude glob ilike lambda pivot positional qualify semi summarize try_cast unpivot";

const DUCKDB = SQLDialect.define({ ...PostgreSQL.spec, keywords: `${PostgreSQL.spec.keywords ?? ""} ${WORDS}` });

/** DuckDB's SQL, with the tables' and columns' names to complete. */
export function sqlLanguage(tables: Readonly<Record<string, readonly string[]>>, onRun: () => void): Extension {
  const run = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run }])), // otherwise it begins a line
    sql({ dialect: DUCKDB, schema: tables, upperCaseKeywords: true }),
    autocompletion({ icons: false, closeOnBlur: true }),
  ];
}
