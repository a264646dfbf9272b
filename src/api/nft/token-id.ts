const DIGITS = /^(0|[1-9]\d{0,77})$/;
const UINT256_END = 2n ** 256n;

/** @returns whether a text is the id of a token: a uint256 in decimal digits, written in the one way that tokenURI uses. */
export const isTokenId = (text: string): boolean => DIGITS.test(text) && BigInt(text) < UINT256_END;
