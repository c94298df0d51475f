/** Forms of credentials that do not occur by accident. Each pattern takes linear time on any input. */
const FORMS: readonly RegExp[] = [
  /svc_(?:use|live|cli|oac|oat|ort|ocs|odc)_[0-9A-Za-z]{16}/,
  /\beyJ[\w-]{8,64}\.[\w-]{8}/,
  /\b(?:sk|rk|pk)_(?:live|test)_\w{8}|\bwhsec_[\w+/=]{8}|\bgh[pousr]_\w{20}|\bAKIA[0-9A-Z]{16}\b/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
];

/** Whether a string contains anything in the form of a key or token. */
export const holdsSecret = (text: string): boolean => FORMS.some((form) => form.test(text));
