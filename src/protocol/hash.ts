import { createBLAKE3 } from 'hash-wasm';
import { HASH_BYTES } from './limit.js';

// One WASM instance per thread, compiled once, because only loading it is asynchronous.
const hasher = await createBLAKE3(HASH_BYTES * 8);

/** @returns the message hash of the protocol: BLAKE3 truncated to 20 bytes */
export const blake3Hash20 = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary');
