/** Path of the pages where somebody signs in. */
export const SIGN_IN_PATH = '/siwf';

/** @returns the URL of the page on which a person signs in; wallets read the token from it */
export const signInUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}${SIGN_IN_PATH}?channelToken=${token}`;
