/** Path of the approval pages; the token after it is their only credential. */
export const APPROVAL_PATH = '/approve';

/** @returns the URL of the page on which the account's holder approves a key */
export const approvalUrl = (publicUrl: string, token: string): string => `${publicUrl}${APPROVAL_PATH}/${token}`;
