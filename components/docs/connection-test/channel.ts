/** Between the page of a test and the one that its person comes back to, within this browser and site. */
export const channelOf = (state: string): string => `parquetry-connection-test-${state}`;
