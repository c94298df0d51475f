/** Versions that begin with a handshake, newest first. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** The version without a handshake. */
export const DIRECT_VERSION = "2026-07-28";
