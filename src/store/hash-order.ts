/** After every hash: hashes of messages have 20 bytes. */
export const ABOVE_ALL_HASHES = Buffer.alloc(21, 0xff);

/** As hex. */
export const ABOVE_ALL_HASHES_HEX = ABOVE_ALL_HASHES.toString('hex');
