/** @returns lower-case hex without a prefix */
export const bareHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** @returns lower-case hex with `0x`; `0x` for no bytes */
export const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bareHex(bytes)}`;

/** @param text hex digits, an even number of them, with or without `0x` */
export const fromHex = (text: string): Buffer => Buffer.from(text.startsWith('0x') ? text.slice(2) : text, 'hex');
