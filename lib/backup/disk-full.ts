const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error's code says that the disk, a quota or a limit lets no more be written. */
export const isDiskFull = (code: string | undefined): boolean => code !== undefined && CODES.has(code);
