import { SignerSource } from '@farcaster/core';
import { toHex } from '../../../hex.js';
import { onChainEventToJson } from '../../../protocol/hub-json/onchain.js';
import { messageTypeName } from '../../../protocol/wire/decode.js';
import type { HubSigner } from './signer-read.js';

/** @returns the protocol's names of message types; types without one are left out, as hubs do */
const scopeNames = (scopes: readonly number[]): string[] =>
  scopes.map(messageTypeName).filter((name) => !/\d$/.test(name));

const ifSet = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });

/** @returns a signer as hubs write it; members that it has not are absent */
export const signerJson = (signer: HubSigner): object => {
  const { source, key, keyType, fid, addedAt, lastUsedAt, ttl, expiresAt, requestFid, nonce, onchainEvent } = signer;
  const scopes = scopeNames(signer.scopes);
  return {
    source: source === SignerSource.ONCHAIN ? 'SIGNER_SOURCE_ONCHAIN' : 'SIGNER_SOURCE_OFFCHAIN',
    key: toHex(key),
    keyType,
    fid,
    ...ifSet('addedAt', addedAt),
    ...ifSet('lastUsedAt', lastUsedAt),
    ...ifSet('ttl', ttl),
    ...ifSet('expiresAt', expiresAt),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...ifSet('requestFid', requestFid),
    ...ifSet('nonce', nonce),
    ...(onchainEvent === undefined ? {} : { onChainEvent: onChainEventToJson(onchainEvent) }),
  };
};
