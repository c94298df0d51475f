import { SETTINGS } from "@/lib/env";

/** The text of `.env.example`: every setting with what it does and its default. */
export function envExample(): string {
  const sections = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    const fallback =
      parsed.success && parsed.data !== undefined && name !== "PARQUETRY_DATA_DIR" ? String(parsed.data) : name === "PARQUETRY_DATA_DIR" ? ".data" : "";
    return `# ${schema.description ?? ""}\n# ${name}=${fallback}\n`;
  });
  return `# Every setting of Parquetry; all have working defaults. Generated: npm run -s parquetry -- settings > .env.example\n\n${sections.join("\n")}`;
}
