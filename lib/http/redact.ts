import { SETTINGS, type Settings } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { secretValues } from "@/lib/kernel/secret-values";

const GONE = "[redacted]";
const SECRET_NAME =
  "password|passwd|passphrase|secret|token|authorization|cookie|api[_-]?key|client[_-]?secret|credentials?";

/**
 * Patterns of secrets wherever they occur, and their replacements. Each takes linear time on any text, since clients
 * choose paths: every repetition is preceded by fixed text, or by a lookbehind that keeps it from starting at two
 * places.
 */
const FORMS: readonly [form: RegExp, left: string][] = [
  [/svc_(use|live|cli)_[0-9A-Za-z]+/g, `svc_$1_${GONE}`],
  [/svc_(oac|oat|ort|ocs|odc)_[\w-]+/g, `svc_$1_${GONE}`],
  [/(?<=[a-z0-9+.-]:\/\/)[^\s/?#"'<>]*@/gi, `${GONE}@`], // user and password of a URL
  [/(?<=[\w/.~%)\]-])\?(?=[^\s"'<>]{0,500}[=%])[^\s"'<>]+/g, `?${GONE}`], // query strings
  [/([#&?]\w{0,40}token=)[^\s&"'<>]+/gi, `$1${GONE}`],
  [/\b(bearer|basic|digest)\s{1,9}(?=\S{0,99}[\d=+/_.~-])[\w.~+/=-]{12,}/gi, `$1 ${GONE}`],
  [/(?<![\w.-])((?:__Host-|__Secure-|parquetry-|next-auth\.)[\w.-]{1,60}=)[^\s;"'\\]+/g, `$1${GONE}`], // cookies
  [/(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g, GONE], // JWT and JWE
  [/\b(?:sk|rk|pk)_(?:live|test)_\w+|\bwhsec_[\w+/=]+|\bgh[pousr]_\w{20,}|\$argon2id\$[^\s"'\\]+/g, GONE],
  // in JSON
  [new RegExp(`("[\\w-]{0,40}(?:${SECRET_NAME})"\\s{0,9}:\\s{0,9})"(?:[^"\\\\]|\\\\.)*"`, "gi"), `$1"${GONE}"`],
  [
    new RegExp(
      `(?<![\\w-])([\\w-]{0,40}(?:${SECRET_NAME})'?\\s{0,9}[:=]\\s{0,9})` +
        `(?:'[^']*'|\`[^\`]*\`|\\\\"(?:[^"\\\\]|\\\\[^"])*\\\\")`,
      "gi",
    ),
    `$1'${GONE}'`,
  ], // in printed objects
];

/**
 * The text with all keys, passwords, tokens, cookies, query strings and secret values known to this process removed.
 */
export function redact(text: string): string {
  let left = text;
  const known = knownValues();
  if (known) left = left.replace(known, GONE);
  for (const [form, replacement] of FORMS) left = left.replace(form, replacement);
  return left;
}

/** The secrets among the settings: those whose names indicate it, and passwords in URLs. */
export function secretSettings(settings: Settings): string[] {
  const named = Object.keys(SETTINGS.shape).flatMap((name) => {
    const value = settings[name as keyof Settings];
    if (typeof value !== "string") return [];
    return /SECRET|_KEYS?$|PASSWORD|TOKEN/.test(name)
      ? [value, ...value.split(/[,:]/).filter((part) => part.length >= KEY_LENGTH)]
      : passwordIn(value);
  });
  return [...named, ...settings.oidcProviders.map(({ clientSecret }) => clientSecret)];
}

/** In a list of keys, shorter parts are the keys' names. */
const KEY_LENGTH = 32;

function passwordIn(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return password === "" ? [] : [password, decodeURIComponent(password)];
}

interface Known {
  count: number;
  form: RegExp | undefined;
}

/** One pattern of all known values; rebuilt when values are added. */
function knownValues(): RegExp | undefined {
  const values = secretValues();
  const known = processWide<Known>("known-secrets", () => ({ count: -1, form: undefined }));
  if (known.count === values.size) return known.form;
  const spellings = [...values].flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
  ]);
  const longestFirst = [...new Set(spellings)]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  known.count = values.size;
  known.form = longestFirst.length > 0 ? new RegExp(longestFirst.join("|"), "g") : undefined;
  return known.form;
}
