import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { processWide } from "@/lib/kernel/process-wide";
import { passwordSchema } from "@/lib/schemas/account";

const LENGTH_MIN = 10;
const LENGTH_MAX = 256;
/** zxcvbn takes time quadratic in the length. A password whose first 64 characters are hard to guess remains so. */
const JUDGED_LENGTH = 64;
/**
 * Limits how many ways of reading digits and symbols as letters are tried. Without it, a text full of them spent nine
 * tenths of its time on them and blocked the process.
 */
const SUBSTITUTIONS_MAX = 10;
/** On zxcvbn's scale of 0 to 4: withstands offline guessing of a slow hash. */
const SCORE_MIN = 3;

/**
 * What is wrong with a password, in a sentence for the person who chose it; undefined if it is good enough. `personal`
 * are words that an attacker would try first.
 */
export async function passwordFault(password: string, personal: readonly string[]): Promise<string | undefined> {
  const length = lengthFault(password);
  if (length) return length;
  const { score, feedback } = (await judge()).check(password.slice(0, JUDGED_LENGTH), [...personal]);
  if (score >= SCORE_MIN) return undefined;
  return ["This password is easy to guess.", feedback.warning, feedback.suggestions[0]].filter(Boolean).join(" ");
}

/** The part of the rule that a schema can check, so it is reported along with the faults of other fields. */
function lengthFault(password: string): string | undefined {
  const length = [...password].length;
  if (length < LENGTH_MIN) return `Use at least ${LENGTH_MIN} characters.`;
  return length > LENGTH_MAX ? `Use at most ${LENGTH_MAX} characters.` : undefined;
}

/** A password that is being chosen. */
export const newPasswordSchema = passwordSchema.superRefine((password, { addIssue }) => {
  const message = lengthFault(password);
  if (message) addIssue({ code: "custom", message });
});

/** Loaded when the first password is chosen: its dictionaries take a tenth of a second to unpack. */
const judge = (): Promise<ZxcvbnFactory> =>
  processWide("password-judge", async () => {
    const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
      import("@zxcvbn-ts/core"),
      import("@zxcvbn-ts/language-common"),
      import("@zxcvbn-ts/language-en"),
    ]);
    return new Factory({
      dictionary: { ...common.dictionary, ...english.dictionary, userInputs: ["parquetry", "parquet"] },
      graphs: common.adjacencyGraphs,
      l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
      translations: english.translations,
    });
  });
