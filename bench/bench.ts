import type { Client } from "./client";
import type { RawDuckDb } from "./raw";
import type { Service } from "./service";
import type { Tables } from "./tables";

/** What every case works with. */
export interface Bench {
  service: Service;
  client: Client;
  raw: RawDuckDb;
  tables: Tables;
  /** The service's; the next ones are free for what it is compared with. */
  port: number;
}
