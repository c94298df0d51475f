/** Between the page of a test and the page its person returns to, within this browser and site. */
export const channelOf = (state: string): string => `parquetry-connection-test-${state}`;
