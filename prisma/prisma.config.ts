import { defineConfig } from "prisma/config";

// `prisma generate` only checks that this file exists; migrations never go through the engine (see README.md here).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "schema.prisma" });
