// `npm run migration -- NAME` writes prisma/migrations/<time>_NAME; `npm run migration -- --check` fails when
// schema.prisma has drifted from them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS, pendingSql } from "./schema-engine";

const name = process.argv[2];
if (!name) throw new Error("usage: npm run migration -- NAME | --check");
mkdirSync(MIGRATIONS, { recursive: true });
writeFileSync(join(MIGRATIONS, "migration_lock.toml"), 'provider = "postgresql"\n');

const sql = await pendingSql();
if (name === "--check") {
  process.stdout.write(
    sql ? `schema.prisma has drifted from its migrations:\n${sql}\n` : "schema.prisma and its migrations agree\n",
  );
  process.exit(sql ? 2 : 0);
}
if (!sql) {
  process.stdout.write("nothing to migrate\n");
  process.exit(0);
}
const folder = join(MIGRATIONS, `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`);
mkdirSync(folder);
writeFileSync(join(folder, "migration.sql"), sql);
process.stdout.write(`${folder}/migration.sql\n`);
process.exit(0);
