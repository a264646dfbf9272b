import Type, { type Static, type TSchema } from 'typebox';
import { EthAddress } from '../address.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

const network = () => stringEnum(['base', 'base-sepolia']);
const scheme = () => stringEnum(['exact']);
/** Returns a new schema each time: the document names a shared object in `components/schemas`. */
const anyObject = (description: string) =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      additionalProperties: {},
      description,
    } as TSchema),
  );
const integerOf = <Value extends number>(values: readonly Value[], options: object = {}) =>
  Type.Unsafe<Value>({ type: 'integer', enum: values, ...options });
const version = () => integerOf([1, 2] as const);
const hex = (digits: number) => Type.String({ pattern: `^0x[a-fA-F0-9]{${digits}}$` });

const X402Requirement = Type.Object({
  scheme: scheme(),
  network: network(),
  maxAmountRequired: Type.String({ description: 'In the smallest unit of the token, in decimal digits.' }),
  asset: EthAddress,
  payTo: EthAddress,
  resource: Type.String({ format: 'uri' }),
  description: Type.String(),
  maxTimeoutSeconds: Type.Number({ description: 'From 6 to 3600.' }),
  mimeType: Type.Optional(Type.String()),
  outputSchema: anyObject('Not used.'),
  extra: anyObject("`name` and `version` of the token's EIP-712 domain."),
});
export type X402Requirement = Static<typeof X402Requirement>;

export const CreateX402SignatureReqBody = namedObject('CreateX402SignatureReqBody', {
  payment_requirements: Type.Object({
    x402Version: version(),
    accepts: Type.Array(X402Requirement, { minItems: 1 }),
  }),
});

/**
 * The `PaymentPayload` of x402 version 1, whose parsers take no further members. With version 2 the answer has
 * `accepted` and `resource` as well, which the contract has no members for.
 */
export const CreateX402SignatureResponse = namedObject('CreateX402SignatureResponse', {
  x402Version: version(),
  scheme: scheme(),
  network: network(),
  payload: Type.Object({
    signature: hex(130),
    authorization: Type.Object({
      from: EthAddress,
      to: EthAddress,
      value: Type.String(),
      validAfter: Type.String(),
      validBefore: Type.String(),
      nonce: hex(64),
    }),
  }),
});

const chainIds = [8453, 84532] as const;

export const CreateX402SiwxReqBody = namedObject('CreateX402SiwxReqBody', {
  resource: Type.String({ format: 'uri', description: 'URL of what the wallet signs in for.' }),
  chainId: Type.Optional(integerOf(chainIds, { default: 8453 })),
});

export const CreateX402SiwxResponse = namedObject('CreateX402SiwxResponse', {
  address: EthAddress,
  message: Type.String({ description: 'EIP-4361.' }),
  signature: hex(130),
  timestamp: Type.Number({ description: '`Issued At` of the message in Unix milliseconds.' }),
  chainId: integerOf(chainIds),
});
