import { SETTINGS } from "@/lib/env";

export type SettingName = keyof typeof SETTINGS.shape;

/** A setting's default as it is written in the environment; empty where there is none. */
export function settingDefault(name: SettingName): string {
  if (name === "PARQUETRY_DATA_DIR") return ".data"; // read from where the service runs, and made absolute
  const parsed = SETTINGS.shape[name].safeParse(undefined);
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : "";
}

/** The text of `.env.example`: every setting with what it does and its default. */
export function envExample(): string {
  const names = Object.keys(SETTINGS.shape) as SettingName[];
  const sections = names.map(
    (name) => `# ${SETTINGS.shape[name].description ?? ""}\n# ${name}=${settingDefault(name)}\n`,
  );
  return (
    "# Every setting of Parquetry; all have working defaults. Generated: npm run -s parquetry -- settings > " +
    `.env.example\n\n${sections.join("\n")}`
  );
}
