import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import { processWide } from "@/lib/kernel/process-wide";

const LENGTH_MIN = 10;
const LENGTH_MAX = 256;
/** zxcvbn takes time that grows with the square of the length; what is hard to guess by then stays so. */
const JUDGED_LENGTH = 64;
/**
 * Of the ways to read digits and signs as letters, which took nine tenths of the time of a text full of them; nothing
 * else runs meanwhile.
 */
const SUBSTITUTIONS_MAX = 10;
/** Of zxcvbn's 0 to 4: withstands offline guessing of a slow hash. */
const SCORE_MIN = 3;

/**
 * What speaks against a password, in a sentence for whoever chose it; undefined when it will do. `personal` are words
 * that an attacker would try first.
 */
export function passwordFault(password: string, personal: readonly string[]): string | undefined {
  const length = [...password].length;
  if (length < LENGTH_MIN) return `Use at least ${LENGTH_MIN} characters.`;
  if (length > LENGTH_MAX) return `Use at most ${LENGTH_MAX} characters.`;
  const { score, feedback } = judge().check(password.slice(0, JUDGED_LENGTH), [...personal]);
  if (score >= SCORE_MIN) return undefined;
  return ["This password is easy to guess.", feedback.warning, feedback.suggestions[0]].filter(Boolean).join(" ");
}

const judge = (): ZxcvbnFactory =>
  processWide(
    "password-judge",
    () =>
      new ZxcvbnFactory({
        dictionary: { ...common.dictionary, ...english.dictionary, userInputs: ["parquetry", "parquet"] },
        graphs: common.adjacencyGraphs,
        l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
        translations: english.translations,
      }),
  );
