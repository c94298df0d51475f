/** Settings that have no effect without others: the setting, and those that it requires. */
const REQUIRED_WITH: Readonly<Record<string, readonly string[]>> = {
  STRIPE_SECRET_KEY: ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
  GITHUB_CLIENT_ID: ["GITHUB_CLIENT_SECRET"],
  GITHUB_CLIENT_SECRET: ["GITHUB_CLIENT_ID"],
  GITHUB_ENTERPRISE_URL: ["GITHUB_CLIENT_ID"],
  GOOGLE_CLIENT_ID: ["GOOGLE_CLIENT_SECRET"],
  GOOGLE_CLIENT_SECRET: ["GOOGLE_CLIENT_ID"],
};

/** The settings that are missing next to these, each with the one that requires it. */
export const missingSettings = (
  settings: Readonly<Record<string, unknown>>,
): readonly { name: string; requiredWith: string }[] =>
  Object.entries(REQUIRED_WITH)
    .filter(([setting]) => settings[setting] !== undefined)
    .flatMap(([requiredWith, names]) =>
      names.filter((name) => settings[name] === undefined).map((name) => ({ name, requiredWith })),
    );
