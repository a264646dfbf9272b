import type { KeyType } from '../store/access/signed-key-request.js';

/** A key that an account of the local network adds. */
export interface LocalKey {
  readonly fid: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly keyType: KeyType;
}
