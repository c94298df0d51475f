import { env } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { filesystemObjects } from "./filesystem-objects";
import type { ObjectStore } from "./object-store";
import { s3Objects } from "./s3-objects";

/** THE drivers, one line each. */
const DRIVERS = {
  filesystem: filesystemObjects,
  s3: s3Objects,
} satisfies Record<string, () => ObjectStore>;

/** The object store of this process. */
export const objectStore = (): ObjectStore =>
  processWide<ObjectStore>("object-store", DRIVERS[env().S3_BUCKET === undefined ? "filesystem" : "s3"]);
