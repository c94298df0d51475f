import { join } from "node:path";
import { artifactStore, blobStore, snapshotStore } from "@/lib/storage/blob-store";
import { objectPath } from "@/lib/storage/paths";

/** The file of a blob in a test's data folder, for inspecting or damaging it without the service's knowledge. */
export const blobFile = (digest: string): string => objectPath(blobStore().keyOf(digest));

/** The same in any data folder. */
export const blobFileIn = (dataDir: string, digest: string): string => join(dataDir, blobStore().keyOf(digest));

/** The folder of all blobs. */
export const blobFolder = (): string => objectPath(blobStore().folder);

/** The file of a source's bytes. */
export const snapshotFile = (digest: string): string => objectPath(snapshotStore().keyOf(digest));

/** The file of a run's text. */
export const artifactFile = (digest: string): string => objectPath(artifactStore().keyOf(digest));
