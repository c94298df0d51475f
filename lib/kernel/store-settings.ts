import { z } from "zod";
import { whole } from "./setting-numbers";

/** Settings of the servers that keep state: PostgreSQL and, optionally, Redis. */
export const STORE_SETTINGS = {
  DATABASE_URL: z
    .string()
    .optional()
    .describe("URL of a PostgreSQL database, version 15 or newer. By default, an embedded server in the data folder."),
  DATABASE_TIMEOUT_MS: whole(5000).describe(
    "Maximum time that a request waits for the database to reply to one statement, in milliseconds. A connection may " +
      "take twice as long, a transaction three times.",
  ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      "URL of a Redis server, version 6 or newer, that counts rate limits for all instances together. By default, " +
        "limits that apply only per minute are counted in memory, and all others in PostgreSQL.",
    ),
  REDIS_TIMEOUT_MS: whole(5000).describe(
    "Maximum time to wait for a connection to Redis or a reply, in milliseconds. It includes the time that an " +
      "overloaded service takes to read a reply, so a shorter one rejects requests that Redis has answered.",
  ),
};
