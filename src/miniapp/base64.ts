const unpadded = (bytes: Buffer, alphabet: 'base64' | 'base64url'): string =>
  bytes.toString(alphabet).replace(/=+$/, '');

/**
 * Decodes the parts of JSON Farcaster Signatures: the specification says base64url, many tools write padded base64.
 * @param text in one of the two alphabets of RFC 4648 (sections 4 and 5), without padding or padded to a multiple of
 *   four characters
 * @returns its bytes; undefined for anything else, such as mixed alphabets, white space, wrong padding, or excess bits
 *   at the end
 */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const bare = text.replace(/={1,2}$/, '');
  if (bare.length < text.length && text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(bare, 'base64');
  return [unpadded(bytes, 'base64url'), unpadded(bytes, 'base64')].includes(bare) ? bytes : undefined;
};
