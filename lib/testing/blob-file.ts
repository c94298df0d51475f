import { join } from "node:path";
import { blobName, blobPath, blobsDir } from "@/lib/storage/paths";

/** The file of a blob in the data folder of a test, to inspect or damage it behind the service's back. */
export const blobFile = (digest: string): string => blobPath(digest);

/** The same in any data folder. */
export const blobFileIn = (dataDir: string, digest: string): string => join(dataDir, "blobs", blobName(digest));

/** The folder of all of them. */
export const blobFolder = (): string => blobsDir();
