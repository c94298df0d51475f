import { normalizeText } from "@/lib/kernel/normalize-text";

const NAME_MAX = 100;

/** Text shown to people must be readable: no control characters, and nothing that changes the direction of the text. */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** More combining marks on one letter than any script uses. */
const HEAPED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** Letters of other scripts that look like those of our own name. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { р: "p", ρ: "p", ꓑ: "p", а: "a", α: "a", г: "r", ԛ: "q", գ: "q", զ: "q", "9": "q", υ: "u", ս: "u", μ: "u", е: "e", ε: "e", "3": "e", т: "t", τ: "t", "7": "t", у: "y", γ: "y", ү: "y", "4": "a", "@": "a" }; // biome-ignore format: a table of pairs

/** The name that a program gives itself or its machine, made safe to show to a person. */
export const readableName = (given: string): string =>
  normalizeText(given, "NFC").replace(UNREADABLE, "").replace(HEAPED_MARKS, "$1").replace(/\s+/g, " ").trim();

/**
 * The name of a program. If it has none, or one that is not distinctive, its redirect host is used instead. Not
 * distinctive: a name that looks like ours, or a word that mixes Latin letters with look-alike letters of another
 * script.
 */
export function programName(given: string, redirectUri: string): string {
  const name = [...readableName(given)].slice(0, NAME_MAX).join("").trim();
  if (name !== "" && !passesForOurs(name) && !mixesScripts(name)) return name;
  return URL.canParse(redirectUri) ? new URL(redirectUri).host || new URL(redirectUri).protocol : "Unnamed app";
}

const passesForOurs = (name: string): boolean => plainLetters(name).includes("parquetry");

/** Only the letters of a name, with look-alikes replaced by Latin ones: what a hurried reader takes it for. */
export function plainLetters(name: string): string {
  const plain = normalizeText(name, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return [...plain]
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join("")
    .replace(/[^\p{L}]/gu, "");
}

const mixesScripts = (name: string): boolean =>
  name
    .split(/[^\p{L}\p{M}]+/u)
    .some(
      (word) =>
        /\p{Script=Latin}/u.test(word) &&
        /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word),
    );
