/** How a number format shows a number: as a day, a day with a time, a time, a duration, or a number. */
export type Shown = "number" | "date" | "timestamp" | "time" | "duration";

const DAY_MS = 86_400_000;
/** Days from the 1900 system's day 0 (with its non-existent leap day) to 1970-01-01. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;
const LEAP_DAY_THAT_NEVER_WAS = 60;

/**
 * Built-in formats of ECMA-376 18.8.30, including those of East Asian languages (27 to 36, 50 to 58), which show days.
 */
export function shownByBuiltIn(id: number): Shown {
  if (id === 22) return "timestamp";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return "date";
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return "time";
  return id === 46 ? "duration" : "number";
}

/** What a format code shows, judged by its first section without quoted text, escapes, colours and languages. */
export function shownByCode(code: string): Shown {
  const section = withoutLiterals(code);
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return "duration";
  const letters = section.replace(/\[[^\][]*\]/g, "").toLowerCase();
  const hasTime = /[hs]/.test(letters) || letters.includes("am/pm");
  const hasDay = /[dy]/.test(letters) || (!hasTime && letters.includes("m"));
  if (/[0#?]/.test(letters) && !hasDay && !/[hs]/.test(letters)) return "number";
  if (hasDay) return hasTime ? "timestamp" : "date";
  return hasTime ? "time" : "number";
}

/** The first section without literals: quoted text ends at a quote; an escape or a pad takes one character. */
function withoutLiterals(code: string): string {
  let text = "";
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at] ?? "";
    if (character === ";") break;
    if (character === '"') {
      const end = code.indexOf('"', at + 1);
      at = end < 0 ? code.length : end;
    } else if (character === "\\" || character === "_" || character === "*") at += 1;
    else text += character;
  }
  return /^general$/i.test(text.trim()) ? "" : text;
}

/** A serial number in ISO 8601; undefined if there is no such day. Rounded to milliseconds, as Excel shows it. */
export function serialText(serial: number, shown: Shown, is1904: boolean): string | undefined {
  if (shown === "duration") return durationText(serial);
  const days = is1904 || serial >= LEAP_DAY_THAT_NEVER_WAS ? serial : serial + 1;
  const ms = Math.round((days - (is1904 ? EPOCH_1904 : EPOCH_1900)) * DAY_MS);
  if (shown === "time" && serial >= 0 && serial < 1) return timeText(Math.round(serial * DAY_MS) % DAY_MS);
  if (serial < 0 || ms >= Date.UTC(10_000, 0, 1)) return undefined;
  const midnight = Math.floor(ms / DAY_MS) * DAY_MS;
  const isNeverDay = !is1904 && Math.floor(serial) === LEAP_DAY_THAT_NEVER_WAS;
  const day = isNeverDay ? "1900-02-29" : new Date(midnight).toISOString().slice(0, 10);
  return shown === "date" && ms === midnight ? day : `${day}T${timeText(ms - midnight)}`;
}

function durationText(serial: number): string {
  const ms = Math.round(Math.abs(serial) * DAY_MS);
  const hours = Math.floor(ms / 3_600_000);
  const rest = timeText(ms % 3_600_000).slice(3);
  return `${serial < 0 ? "-" : ""}${String(hours).padStart(2, "0")}:${rest}`;
}

function timeText(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  return text.endsWith(".000") ? text.slice(0, 8) : text;
}
