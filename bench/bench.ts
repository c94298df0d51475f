import type { Client } from "./client";
import type { RawDuckDb } from "./raw";
import type { Service } from "./service";
import type { Tables } from "./tables";

/** What every case has access to. */
export interface Bench {
  service: Service;
  client: Client;
  raw: RawDuckDb;
  tables: Tables;
  /** The service's port. The following ones are free for the contenders. */
  port: number;
  /** Divides the time of each measurement. */
  haste: number;
  /** How long the soak run takes. */
  minutes: number;
}
