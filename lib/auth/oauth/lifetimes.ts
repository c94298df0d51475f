export const ACCESS_SECONDS = 3600;
/** Each refresh begins anew, so a connection that is used never ends by itself. */
export const REFRESH_SECONDS = 30 * 86_400;
export const CODE_SECONDS = 60;
