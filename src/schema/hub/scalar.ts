import Type from 'typebox';
import { named } from '../named.js';
import { stringEnum } from '../string-enum.js';

export const HubFid = named('HubFid', Type.Integer({ format: 'uint64', minimum: 1 }));

export const HubCastHash = named('HubCastHash', Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }));

export const HubHashScheme = named(
  'HubHashScheme',
  stringEnum(['HASH_SCHEME_BLAKE3'], { default: 'HASH_SCHEME_BLAKE3' }),
);

export const HubSignatureScheme = named(
  'HubSignatureScheme',
  stringEnum(['SIGNATURE_SCHEME_ED25519', 'SIGNATURE_SCHEME_EIP712'], { default: 'SIGNATURE_SCHEME_ED25519' }),
);

/** `SOCIAL_NETWORK_` is the neutral form of the hubs' prefix. */
export const HubNetwork = named(
  'HubNetwork',
  stringEnum(['SOCIAL_NETWORK_MAINNET', 'SOCIAL_NETWORK_TESTNET', 'SOCIAL_NETWORK_DEVNET'], {
    default: 'SOCIAL_NETWORK_MAINNET',
  }),
);

/** The message types of the contract; hubs have more (`OtherMessageType`). */
export const HubMessageType = named(
  'HubMessageType',
  stringEnum(
    [
      'MESSAGE_TYPE_CAST_ADD',
      'MESSAGE_TYPE_CAST_REMOVE',
      'MESSAGE_TYPE_REACTION_ADD',
      'MESSAGE_TYPE_REACTION_REMOVE',
      'MESSAGE_TYPE_LINK_ADD',
      'MESSAGE_TYPE_LINK_REMOVE',
      'MESSAGE_TYPE_VERIFICATION_ADD_ETH_ADDRESS',
      'MESSAGE_TYPE_VERIFICATION_REMOVE',
      'MESSAGE_TYPE_USER_DATA_ADD',
      'MESSAGE_TYPE_USERNAME_PROOF',
      'MESSAGE_TYPE_FRAME_ACTION',
    ],
    { default: 'MESSAGE_TYPE_CAST_ADD' },
  ),
);

/** Types beyond `HubMessageType`, by their protocol name or, if the protocol's package has none, their number. */
export const OtherMessageType = Type.String({
  pattern: '^MESSAGE_TYPE_(LINK_COMPACT_STATE|LEND_STORAGE|KEY_ADD|KEY_REMOVE|CHANNEL_[A-Z]+|[0-9]+)$',
  description: 'A kind of message that came later than the ones with a shape of their own.',
});
