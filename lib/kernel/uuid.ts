const DIGITS = "[0-9a-f]";

/** A UUID in its canonical form, in lower or upper case, as the source of a regular expression that SQL can use too. */
export const UUID_PATTERN = `^${DIGITS}{8}-${DIGITS}{4}-${DIGITS}{4}-${DIGITS}{4}-${DIGITS}{12}$`;

const UUID = new RegExp(UUID_PATTERN, "i");

/** Whether the string is a UUID. Example: `isUuid("0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10")`. */
export const isUuid = (text: string): boolean => UUID.test(text);
