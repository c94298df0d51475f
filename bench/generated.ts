/** Words of the generated sentences; the last one is rare enough to search for. */
const WORDS = [
  "river",
  "stone",
  "market",
  "winter",
  "copper",
  "signal",
  "garden",
  "harbour",
  "engine",
  "paper",
  "lantern",
  "valley",
  "thread",
  "bridge",
  "silver",
];

/** A pseudo-random number, the same on every run: DuckDB's hash of the row number and a salt. */
const noise = (salt: number) => `hash(i * 31 + ${salt})`;

const word = (salt: number) =>
  `[${WORDS.map((text) => `'${text}'`).join(", ")}][1 + (${noise(salt)} % ${WORDS.length})::INTEGER]`;

/** Twelve mixed columns, sorted by time. */
export function mixedRowsSql(rows: number): string {
  const sentence =
    `concat(${word(11)}, ' ', ${word(12)}, ' and ', ${word(13)}, ' near the ', ${word(14)}, CASE WHEN ` +
    `${noise(15)} % 100000 = 0 THEN ' zeppelin' ELSE '' END)`;
  return `SELECT
    i AS id,
    (${noise(1)} >> 1)::BIGINT AS random_id,
    ${noise(2)} / 18446744073709551616.0::DOUBLE AS score,
    ((${noise(3)} % 1000000000)::BIGINT / 100.0)::DECIMAL(9,2) AS amount,
    left(md5(i::VARCHAR), 16) AS code,
    concat('kind ', ${noise(4)} % 10) AS kind,
    concat('shop ', ${noise(5)} % 1000) AS shop,
    TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_microseconds((i * 9000000 + (${noise(6)} % 9000000)::BIGINT)) AS seen_at,
    DATE '2015-01-01' + (${noise(7)} % 3650)::INTEGER AS due,
    ${noise(8)} % 2 = 0 AS paid,
    CASE WHEN ${noise(9)} % 5 > 0 THEN (${noise(10)} % 100000000)::DOUBLE / 1000 END AS reading,
    ${sentence} AS note
  FROM range(${rows}) r(i)`;
}

/** Eight columns of random doubles, which hardly compress: the largest file that is still downloaded whole. */
export function doublesSql(rows: number): string {
  const columns = Array.from(
    { length: 8 },
    (_, index) => `${noise(20 + index)} / 18446744073709551616.0::DOUBLE AS d${index}`,
  );
  return `SELECT ${columns.join(", ")} FROM range(${rows}) r(i)`;
}

/** A table so small that a query costs only the round trip. */
export const TINY_SQL = "SELECT i AS id, concat('row ', i) AS name FROM range(10) r(i)";

/** Columns `seen_at`, `c1`, `c2` … of the types that text files have. */
export function wideRowsSql(columns: number, rows: number): string {
  const kinds: readonly ((at: number) => string)[] = [
    (at) => `i * ${at}`,
    (at) => `((${noise(at)} % 1000000)::BIGINT / 100.0)::DECIMAL(9,2)`,
    (at) => `${noise(at)} / 18446744073709551616.0::DOUBLE`,
    (at) => `DATE '2015-01-01' + (${noise(at)} % 3650)::INTEGER`,
    (at) => `${noise(at)} % 3 = 0`,
    (at) => `concat('kind ', ${noise(at)} % 10)`,
  ];
  const cells = Array.from({ length: columns - 1 }, (_, at) => `${kinds[at % kinds.length]?.(at)} AS c${at + 1}`);
  const seenAt = "TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_seconds(i) AS seen_at";
  return `SELECT ${[seenAt, ...cells].join(", ")} FROM range(${rows}) r(i)`;
}
