export const ACCESS_SECONDS = 3600;
/** Each refresh starts a new period, so a connection in use never expires. */
export const REFRESH_SECONDS = 30 * 86_400;
export const CODE_SECONDS = 60;
/** Time for a person to find the page and type the code. */
export const DEVICE_CODE_SECONDS = 900;
/** A device's credential is not renewed. After half a year, its person signs in again. */
export const DEVICE_CREDENTIAL_SECONDS = 180 * 86_400;
