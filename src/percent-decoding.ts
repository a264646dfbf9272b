/** @returns the text that a percent-encoded one stands for (RFC 3986, 2.1); undefined if it stands for none */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
