import { messageTypeName } from '../wire/decode.js';
import { enumNames } from './scalar.js';

/**
 * The enumerations of the protocol as hub JSON spells them (protocol document, message.proto and onchain_event.proto).
 * Where the contract and hub software differ, the contract's spelling is written and both are read.
 */

export const networkNames = enumNames(
  'SOCIAL_NETWORK_',
  { 1: 'SOCIAL_NETWORK_MAINNET', 2: 'SOCIAL_NETWORK_TESTNET', 3: 'SOCIAL_NETWORK_DEVNET' },
  { FARCASTER_NETWORK_MAINNET: 1, FARCASTER_NETWORK_TESTNET: 2, FARCASTER_NETWORK_DEVNET: 3 },
);

export const hashSchemeNames = enumNames('HASH_SCHEME_', { 0: 'HASH_SCHEME_NONE', 1: 'HASH_SCHEME_BLAKE3' });

export const signatureSchemeNames = enumNames('SIGNATURE_SCHEME_', {
  0: 'SIGNATURE_SCHEME_NONE',
  1: 'SIGNATURE_SCHEME_ED25519',
  2: 'SIGNATURE_SCHEME_EIP712',
});

/** Message types with a name, including those that only hubs know. */
const MESSAGE_TYPES = Array.from({ length: 22 }, (_, type) => type);

export const messageTypeNames = enumNames(
  'MESSAGE_TYPE_',
  Object.fromEntries(MESSAGE_TYPES.map((type) => [type, messageTypeName(type)])),
);

export const castTypeNames = enumNames('CAST_TYPE_', { 0: 'CAST', 1: 'LONG_CAST', 2: 'TEN_K_CAST' });

export const reactionTypeNames = enumNames(
  'REACTION_TYPE_',
  { 0: 'REACTION_TYPE_NONE', 1: 'Like', 2: 'Recast' },
  { REACTION_TYPE_LIKE: 1, REACTION_TYPE_RECAST: 2 },
);

export const userDataTypeNames = enumNames('USER_DATA_TYPE_', {
  1: 'USER_DATA_TYPE_PFP',
  2: 'USER_DATA_TYPE_DISPLAY',
  3: 'USER_DATA_TYPE_BIO',
  5: 'USER_DATA_TYPE_URL',
  6: 'USER_DATA_TYPE_USERNAME',
  7: 'USER_DATA_TYPE_LOCATION',
  8: 'USER_DATA_TYPE_TWITTER',
  9: 'USER_DATA_TYPE_GITHUB',
  10: 'USER_DATA_TYPE_BANNER',
  11: 'USER_DATA_PRIMARY_ADDRESS_ETHEREUM',
  12: 'USER_DATA_PRIMARY_ADDRESS_SOLANA',
  13: 'USER_DATA_TYPE_PROFILE_TOKEN',
  14: 'USER_DATA_TYPE_LIVE_AT',
});

/** The chain of a verified address. */
export const protocolNames = enumNames('PROTOCOL_', { 0: 'PROTOCOL_ETHEREUM', 1: 'PROTOCOL_SOLANA' });

export const storageUnitNames = enumNames(
  'UNIT_TYPE_',
  { 0: 'UnitTypeLegacy', 1: 'UnitType2024', 2: 'UnitType2025' },
  { UNIT_TYPE_LEGACY: 0, UNIT_TYPE_2024: 1, UNIT_TYPE_2025: 2 },
);

export const usernameTypeNames = enumNames('USERNAME_TYPE_', {
  1: 'USERNAME_TYPE_FNAME',
  2: 'USERNAME_TYPE_ENS_L1',
  3: 'USERNAME_TYPE_BASENAME',
});

export const onChainEventTypeNames = enumNames('EVENT_TYPE_', {
  1: 'EVENT_TYPE_SIGNER',
  2: 'EVENT_TYPE_SIGNER_MIGRATED',
  3: 'EVENT_TYPE_ID_REGISTER',
  4: 'EVENT_TYPE_STORAGE_RENT',
  5: 'EVENT_TYPE_TIER_PURCHASE',
  6: 'EVENT_TYPE_CHANNEL_REGISTER',
});

export const signerEventTypeNames = enumNames('SIGNER_EVENT_TYPE_', {
  1: 'SIGNER_EVENT_TYPE_ADD',
  2: 'SIGNER_EVENT_TYPE_REMOVE',
  3: 'SIGNER_EVENT_TYPE_ADMIN_RESET',
});

export const idRegisterEventTypeNames = enumNames(
  'ID_REGISTER_EVENT_TYPE_',
  {
    1: 'ID_REGISTER_EVENT_TYPE_REGISTER',
    2: 'ID_REGISTER_EVENT_TYPE_TRANSFER',
    3: 'ID_REGISTER_EVENT_TYPE_CHANGE_RECOVERY',
  },
  { Register: 1, Transfer: 2, ChangeRecovery: 3 },
);

export const tierTypeNames = enumNames('TIER_TYPE_', { 0: 'None', 1: 'Pro' });
