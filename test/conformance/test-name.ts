/** @returns the name of the test that tries a case. */
export const testName = ({ id, does }: { readonly id: string; readonly does: string }): string => `${id}: ${does}`;
