import { FactTable } from "@/components/fact-table";
import { env, SETTINGS } from "@/lib/env";
import { formatBinaryBytes, formatCount } from "@/lib/format";
import { Code, Section } from "./section";

const PEOPLE_LIMITS = /^LIMIT_(?:ACCOUNT|SIGN)_/;

/** What this service allows, as it is set. */
export function LimitsSection() {
  return (
    <Section id="limits" title="Limits">
      <FactTable words label="Limits" head={["Limit", "With a use key", "Without"]} rows={readingLimits()} />
      <p className="my-4 max-w-prose text-muted text-sm">
        A key’s allowances are its own; without a key they are those of the address (of IPv6, the /64). Minutes begin with each full minute, days at 00:00 UTC.
        Every reply says what is left in <Code>RateLimit</Code>, and a refusal in <Code>Retry-After</Code> when to come again. Where the counters cannot be
        asked, the answer is 503.
      </p>
      <h3 className="mb-2 text-lg">Of accounts and signing in</h3>
      <FactTable words label="Limits of people" head={["Limit", "Number"]} rows={peopleLimits()} />
    </Section>
  );
}

function readingLimits() {
  const settings = env();
  const rows: [string, string, string][] = [
    ["Rows a page", formatCount(settings.ROWS_KEY), formatCount(settings.ROWS_ANONYMOUS)],
    ["Bytes a page", formatBinaryBytes(settings.BYTES_KEY), formatBinaryBytes(settings.BYTES_ANONYMOUS)],
    ["Queries a minute", formatCount(settings.LIMIT_KEY_MINUTE), `${formatCount(settings.LIMIT_ADDRESS_MINUTE)} an address`],
    ["Queries a day", formatCount(settings.LIMIT_KEY_DAY), `${formatCount(settings.LIMIT_ADDRESS_DAY)} an address`],
    ["Execution time", `${settings.QUERY_TIMEOUT_MS / 1000} s`, `${settings.QUERY_TIMEOUT_MS / 1000} s`],
    ["Downloads a minute", formatCount(settings.LIMIT_DOWNLOAD_MINUTE), "none"],
    ["Downloads a day", formatCount(settings.LIMIT_DOWNLOAD_DAY), "none"],
    ["Largest download", formatBinaryBytes(settings.ARTIFACT_BYTES), "none"],
    ["Catalogue reads a minute", `${formatCount(settings.LIMIT_CATALOGUE_MINUTE)} an address`, `${formatCount(settings.LIMIT_CATALOGUE_MINUTE)} an address`],
  ];
  return rows.map((cells) => ({ key: cells[0], cells }));
}

/** The settings about accounts and signing in, in their own words. */
function peopleLimits() {
  const settings = env();
  const names = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[]).filter((name) => PEOPLE_LIMITS.test(name));
  return names.map((name) => ({
    key: name,
    cells: [SETTINGS.shape[name].description?.replace(/\.$/, "") ?? name, formatCount(Number(settings[name]))],
  }));
}
