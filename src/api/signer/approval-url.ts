/** Path of the pages that let an account approve a key; the token after it is their only credential. */
export const APPROVAL_PATH = '/approve';

/** @returns where the holder of an account approves a key; built from PUBLIC_URL. */
export const approvalUrl = (publicUrl: string, token: string): string => `${publicUrl}${APPROVAL_PATH}/${token}`;
