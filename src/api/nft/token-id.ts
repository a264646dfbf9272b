const DIGITS = /^(0|[1-9]\d{0,77})$/;
const UINT256_END = 2n ** 256n;

/** @returns whether a text is a token id: a uint256 in decimal digits, spelled exactly as in tokenURI */
export const isTokenId = (text: string): boolean => DIGITS.test(text) && BigInt(text) < UINT256_END;
