/** Whether a name can be an encoded path segment: the listener rejects slashes and backslashes in any encoding. */
export const isPathName = (name: string): boolean => !/[/\\]|^\.{1,2}$/.test(name);
