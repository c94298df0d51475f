const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error code means that a disk, quota or limit prevents further writes. */
export const isDiskFull = (code: string | undefined): boolean => code !== undefined && CODES.has(code);
