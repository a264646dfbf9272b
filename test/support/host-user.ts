import type { JsonFarcasterSignature } from '@farcaster/jfs';
import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import type { Network } from './network.js';
import { addKey, registerAccount } from './signer.js';

/** A user of a host app that signs events itself. */
export interface HostUser {
  readonly fid: number;
  /** Signs with the key that the host holds. */
  sign(payload: unknown): JsonFarcasterSignature;
}

/** @param requestFid account of the app that requested the user's key */
export const hostUser = async (network: Network, fid: number, requestFid: number): Promise<HostUser> => {
  await registerAccount(network, fid);
  const privateKey = ed25519.utils.randomPrivateKey();
  await addKey(network, fid, ed25519.getPublicKey(privateKey), { requestFid });
  return {
    fid,
    sign: (payload) =>
      createJsonFarcasterSignature({ fid, type: 'app_key', privateKey, payload: Buffer.from(JSON.stringify(payload)) }),
  };
};
