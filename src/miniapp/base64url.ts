/**
 * @param text base64url without padding (RFC 4648, 5)
 * @returns its bytes; undefined when it holds anything else, padding and loose bits at the end included, so that one
 *   value has one spelling
 */
export const decodeBase64url = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};
