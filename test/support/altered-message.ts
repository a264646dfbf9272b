import { blake3Hash20 } from '../../src/protocol/hash.js';
import { decodeEnvelope, encodeEnvelope } from '../../src/protocol/wire/envelope.js';
import type { Author } from '../../src/sample/author.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { SEED } from './seed.js';

/** @returns the message of an author with other data, signed again */
export const signedAnew = (author: Author, message: Signed, change: (data: Buffer) => Buffer): Uint8Array => {
  const dataBytes = change(Buffer.from(decodeEnvelope(message.wire).dataBytes));
  const hash = blake3Hash20(dataBytes);
  const signature = signerKey(derive(SEED, 'signer', author.fid, 0)).sign(hash);
  return encodeEnvelope({ ...decodeEnvelope(message.wire), dataBytes, dataForm: 'data_bytes', hash, signature });
};
