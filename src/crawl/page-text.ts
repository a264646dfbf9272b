import sniffEncoding from 'html-encoding-sniffer';

/**
 * @param contentType the header, or '' without one
 * @returns the text of a page in the encoding that a browser would choose (HTML standard, "Determining the character
 *   encoding": byte order mark, header, `meta charset`), UTF-8 without any of them
 */
export const pageText = (body: Uint8Array, contentType: string): string => {
  const transportLayerEncodingLabel = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  const encoding = sniffEncoding(body, {
    defaultEncoding: 'UTF-8',
    ...(transportLayerEncodingLabel !== undefined && { transportLayerEncodingLabel }),
  });
  // An encoding that the decoder does not know ("replacement") says that the page must not be read.
  try {
    return new TextDecoder(encoding).decode(body);
  } catch {
    return '';
  }
};
