import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { Idem } from '../idempotency.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { Network } from './network.js';

const TransactionFrameDestination = namedObject('TransactionFrameDestination', {
  address: EthAddress,
  amount: Type.Number({ minimum: 1e-8, description: 'In whole tokens.' }),
  network: Network,
  token_contract_address: EthAddress,
});

const TransactionFrameAction = namedObject('TransactionFrameAction', {
  button_color: Type.Optional(Type.String({ description: 'A colour as in CSS.' })),
  text: Type.Optional(Type.String({ description: 'On the button; clients show 32 characters.' })),
  text_color: Type.Optional(Type.String({ description: 'A colour as in CSS.' })),
});

const TransactionFrameLineItem = namedObject('TransactionFrameLineItem', {
  description: Type.String(),
  image: Type.Optional(Type.String({ description: 'Shown if it is an https address.' })),
  name: Type.String(),
});

const TransactionFrameConfig = namedObject('TransactionFrameConfig', {
  action: Type.Optional(TransactionFrameAction),
  allowlist_fids: Type.Optional(
    Type.Array(Fid, { description: 'The tokens must come from an address of one of these accounts.' }),
  ),
  line_items: Type.Array(TransactionFrameLineItem, { minItems: 1 }),
});
export type TransactionFrameConfig = Static<typeof TransactionFrameConfig>;

const transaction = Type.Object({ to: TransactionFrameDestination });

export const FramePayTransactionReqBody = namedObject('FramePayTransactionReqBody', {
  config: TransactionFrameConfig,
  idem: Type.Optional(Idem),
  transaction,
});

const TransactionFramePay = namedObject('TransactionFramePay', {
  config: TransactionFrameConfig,
  id: Type.String(),
  status: named('TransactionFrameStatus', stringEnum(['created', 'completed'])),
  transaction,
  type: named('TransactionFrameType', stringEnum(['pay'])),
  url: Type.String({ format: 'uri' }),
});

/** The kinds of pages; `pay` is the only one. */
const TransactionFrame = named('TransactionFrame', Type.Union([TransactionFramePay]));

export const TransactionFrameResponse = namedObject('TransactionFrameResponse', {
  transaction_frame: TransactionFrame,
});
export type TransactionFrameResponse = Static<typeof TransactionFrameResponse>;
