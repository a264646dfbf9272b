import { createBLAKE3 } from 'hash-wasm';

const HASH_BYTES = 20;

// One WASM instance for each thread, compiled once: loading it is the only asynchronous part.
const hasher = await createBLAKE3(HASH_BYTES * 8);

/** @returns BLAKE3 of `bytes`, cut to 20 bytes: the protocol's message hash */
export function blake3Hash20(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary');
}
