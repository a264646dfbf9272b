import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HubOnChainEventSigner } from './onchain-event.js';
import { HubFid } from './scalar.js';

const UnixSeconds = (description: string) => Type.Integer({ format: 'uint64', description });

/** A key that may sign for an account. The optional members but the last are those of keys that a message registered. */
export const HubSigner = namedObject('HubSigner', {
  source: stringEnum(['SIGNER_SOURCE_ONCHAIN', 'SIGNER_SOURCE_OFFCHAIN'], {
    description: 'Whether the key was registered onchain, or by a message.',
  }),
  key: Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Ed25519 public key.' }),
  keyType: Type.Integer({ description: '1: Ed25519.' }),
  fid: HubFid,
  addedAt: Type.Optional(UnixSeconds('When it was registered, in Unix seconds.')),
  lastUsedAt: Type.Optional(UnixSeconds('Of the latest message that it signed, in Unix seconds; absent: none.')),
  ttl: Type.Optional(Type.Integer({ format: 'uint64', description: 'Seconds for which it may stay unused.' })),
  expiresAt: Type.Optional(
    UnixSeconds('lastUsedAt and ttl, in Unix seconds. A key past it is still listed, but signs nothing.'),
  ),
  scopes: Type.Optional(
    Type.Array(Type.String({ pattern: '^MESSAGE_TYPE_[A-Z_]+$' }), { description: 'The messages that it may sign.' }),
  ),
  requestFid: Type.Optional(
    Type.Integer({ format: 'uint64', description: 'The account of the app that asked for it.' }),
  ),
  nonce: Type.Optional(Type.Integer({ format: 'uint64', description: 'The nonce with which it was registered.' })),
  onChainEvent: Type.Optional(HubOnChainEventSigner),
});
export type HubSigner = Static<typeof HubSigner>;

export const HubSignerResponse = namedObject('HubSignerResponse', { signer: HubSigner });

export const HubSignersResponse = namedObject('HubSignersResponse', {
  signers: Type.Array(HubSigner),
  nextPageToken: Type.Optional(Base64),
  gaslessSignerCount: Type.Integer({
    format: 'uint64',
    description: 'Keys of the account that messages registered, on all pages.',
  }),
  gaslessSignerLimit: Type.Integer({ format: 'uint64', description: 'The most of them that an account can have.' }),
  currentUserNonce: Type.Integer({
    format: 'uint64',
    description: 'The last nonce of the custody address; the next one must be above it. 0: none.',
  }),
  requesterFidNonces: Type.Optional(
    Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Integer({ format: 'uint64' }), {
      description: 'By each of `requesterFids`, the last nonce with which a key of that app removed itself. 0: none.',
    }),
  ),
});

/** The names are those of hubs. */
export const HubFidAddressType = namedObject('HubFidAddressType', {
  is_custody: Type.Boolean({ description: 'The custody address of the account.' }),
  is_auth: Type.Boolean({ description: 'Registered as an auth address of the account, and not removed.' }),
  is_verified: Type.Boolean({ description: 'Verified by the account.' }),
});
