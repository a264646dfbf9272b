import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { NftNetwork } from './nft-network.js';
import { PrefixedHexString } from './prefixed-hex.js';

/** Maximum number of recipients in a request. */
export const RECIPIENTS_MAX = 200;

const quantity = Type.Optional(Type.Integer({ default: 1, minimum: 1 }));
const absent = Type.Optional(Type.Never());

/** Exactly one of address and fid. */
export const NftMintRecipient = named(
  'NftMintRecipient',
  Type.Union([
    Type.Object({ address: EthAddress, fid: absent, quantity }),
    Type.Object({ address: absent, fid: Fid, quantity }),
  ]),
);

/** A requested recipient; `quantity` is 1 when absent. */
export interface NftMintRecipient {
  readonly address?: string;
  readonly fid?: number;
  readonly quantity?: number;
}

export const NftMintRecipients = Type.Array(NftMintRecipient, { minItems: 1, maxItems: RECIPIENTS_MAX });

export const NftMintSimulation = namedObject('NftMintSimulation', {
  abi: Type.Optional(Type.Unknown({ description: 'ABI of the mint function.' })),
  args: Type.Array(Type.Unknown()),
  calldata: Type.String(),
  data: Type.String(),
  estimated_total_cost_wei: Type.String({ description: 'Value plus gas.' }),
  function_name: Type.String(),
  // Own addition: the contract has no place for a mint that is not possible yet.
  error: Type.Optional(Type.String({ description: 'Why it would fail now; the cost is the value alone then.' })),
  network: Type.String(),
  recipient: NftMintRecipient,
  to: EthAddress,
  value: Type.String(),
});

export const SimulateNftMintResponse = named('SimulateNftMintResponse', Type.Array(NftMintSimulation));

export const MintNftReqBody = namedObject('MintNftReqBody', {
  async: Type.Optional(Type.Boolean({ description: 'True answers as soon as the transactions are sent.' })),
  contract_address: EthAddress,
  network: NftNetwork,
  recipients: NftMintRecipients,
});

const whom = {
  fid: Type.Optional(Fid),
  quantity: Type.Integer({ minimum: 1 }),
};

const Receipt = Type.Object({ block_number: Type.String(), gas_used: Type.String(), status: Type.String() });
/** Null until it is mined. One object with two types, as in the contract. */
const NullableReceipt = Type.Unsafe<Static<typeof Receipt> | null>({ ...Receipt, type: ['object', 'null'] });

export const MintNftResponse = namedObject('MintNftResponse', {
  transactions: Type.Array(
    Type.Union([
      Type.Object({
        receipt: Type.Optional(NullableReceipt),
        recipient: Type.Object({
          address: EthAddress,
          ...whom,
          tokens: Type.Optional(Type.Array(Type.Object({ token_id: Type.String() }))),
        }),
        transaction_hash: PrefixedHexString,
      }),
      Type.Object({
        error: Type.String(),
        recipient: Type.Object({ address: Type.Optional(EthAddress), ...whom }),
      }),
    ]),
  ),
});
export type MintNftResponse = Static<typeof MintNftResponse>;
