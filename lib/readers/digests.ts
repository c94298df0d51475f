import { sha256Hex } from "@/lib/kernel/sha256";

/** Hex SHA-256 of digests in their order. */
export const joinedDigest = (digests: readonly string[]): string => sha256Hex(digests.join("\n"));
