import { join } from "node:path";
import { blobName, blobPath, blobsDir } from "@/lib/storage/paths";

/** The file of a blob in a test's data folder, for inspecting or damaging it without the service's knowledge. */
export const blobFile = (digest: string): string => blobPath(digest);

/** The same in any data folder. */
export const blobFileIn = (dataDir: string, digest: string): string => join(dataDir, "blobs", blobName(digest));

/** The folder of all blobs. */
export const blobFolder = (): string => blobsDir();
