/** Whether a name can be one segment of a path, encoded: the listener rejects slashes and backslashes however written. */
export const isPathName = (name: string): boolean => !/[/\\]|^\.{1,2}$/.test(name);
