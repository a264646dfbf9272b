import { type Address, encodeFunctionData, type Hex, isAddressEqual, parseAbi, parseEventLogs } from 'viem';
import { AppError, invalidField } from '../error.js';
import { checkedAddress } from '../onchain/checked-address.js';
import { MULTICALL3 } from '../onchain/network.js';
import {
  type AddressState,
  readAddressState,
  readRegistrationPrice,
  withPriceMargin,
} from '../onchain/registry/account-state.js';
import { bundler, idRegistry, registryClient } from '../onchain/registry/contract.js';
import { addKeyHash, isSignedBy, registerHash } from '../onchain/registry/typed-data.js';
import type { Call, Receipt } from '../onchain/transaction/call.js';
import type { UsableWallet } from '../onchain/transaction/wallet.js';
import type { RegisterUserOnChainReqBody } from '../schema/account/registration.js';
import { METADATA_TYPE } from '../signer/key-request-signature.js';
import type { IdempotencyRecord } from '../write/idempotency-record.js';
import { type AccountDependencies, RECEIPT_WAIT_MS } from './dependencies.js';
import { stillPending } from './registry-sender.js';

const KEY_TYPE = 1;

const multicall3Abi = parseAbi([
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

type Signer = NonNullable<RegisterUserOnChainReqBody['signers']>[number];
type PreRegistrationCall = NonNullable<RegisterUserOnChainReqBody['pre_registration_calls']>[number];

/** A request with addresses in lower case. */
interface Registration {
  readonly to: Address;
  readonly recovery: Address;
  readonly deadline: bigint;
  readonly sig: Hex;
}

const hex = (text: string): Hex => text as Hex;

/** @throws AppError invalid for an odd number of digits, which are no bytes */
const requireBytes = (text: string, property: string): void => {
  if (text.length % 2 === 1) throw invalidField(property, `${property} must have two hex digits for each byte.`);
};

const requireFuture = (deadline: number, property: string, now: number): void => {
  const seconds = Math.floor(now / 1000);
  if (deadline > seconds) return;
  const message = `${property} (${deadline}) has passed: it is ${seconds} now, in Unix seconds. Sign again with a later one.`;
  throw invalidField(property, message);
};

const requireNoAccount = (custody: Address, { fid }: AddressState): void => {
  if (fid === undefined) return;
  const message = `${custody} has the account ${fid} already: an address can have one. Use another address.`;
  throw invalidField('registration.custody_address', message);
};

const requireRegisterSignature = async (
  { networks }: AccountDependencies,
  { to, recovery, deadline, sig: signature }: Registration,
  nonce: bigint,
): Promise<void> => {
  const hash = registerHash({ to, recovery, nonce, deadline });
  if (await isSignedBy(networks, to, { hash, signature })) return;
  const message = `registration.signature is not by ${to} over Register(to, recovery, nonce, deadline) with nonce ${nonce} (EIP-712, domain "Farcaster IdGateway", chain id 10).`;
  throw invalidField('registration.signature', message);
};

/** Each key is signed with the next nonce of the custody address. */
const requireSigners = async (
  { networks, clock }: AccountDependencies,
  owner: Address,
  signers: readonly Signer[],
  firstNonce: bigint,
): Promise<void> => {
  const seen = new Set<string>();
  for (const [index, signer] of signers.entries()) {
    const at = (member: string): string => `signers.${index}.${member}`;
    const { key_type: keyType = KEY_TYPE, metadata_type: metadataType = METADATA_TYPE, public_key: key } = signer;
    if (keyType !== KEY_TYPE) throw invalidField(at('key_type'), `${at('key_type')} must be 1, an Ed25519 key.`);
    if (metadataType !== METADATA_TYPE) {
      throw invalidField(at('metadata_type'), `${at('metadata_type')} must be 1, a signed key request.`);
    }
    if (seen.has(key.toLowerCase())) {
      throw invalidField(at('public_key'), `${at('public_key')} occurs twice: a key can be added once.`);
    }
    seen.add(key.toLowerCase());
    requireBytes(signer.metadata, at('metadata'));
    requireBytes(signer.signature, at('signature'));
    requireFuture(signer.deadline, at('deadline'), clock());
    const nonce = firstNonce + BigInt(index);
    const metadata = hex(signer.metadata);
    const deadline = BigInt(signer.deadline);
    const hash = addKeyHash({ owner, keyType, key: hex(key), metadataType, metadata, nonce, deadline });
    if (await isSignedBy(networks, owner, { hash, signature: hex(signer.signature) })) continue;
    const message = `${at('signature')} is not by ${owner} over Add(owner, keyType, key, metadataType, metadata, nonce, deadline) with nonce ${nonce} (EIP-712, domain "Farcaster KeyGateway", chain id 10).`;
    throw invalidField(at('signature'), message);
  }
};

const SELECTOR_LENGTH = 10;

const requireAllowed = ({ settings }: AccountDependencies, calls: readonly PreRegistrationCall[]): void => {
  for (const [index, { target, data, value = 0 }] of calls.entries()) {
    const property = `pre_registration_calls.${index}`;
    requireBytes(data, `${property}.data`);
    const selector = data.slice(0, SELECTOR_LENGTH).toLowerCase();
    const allowed = settings.allowedCalls.find(
      (one) => isAddressEqual(one.target, hex(target)) && one.selector === selector,
    );
    if (!allowed) {
      const message = `${property}: calls of ${selector} at ${target} are not allowed here. The operator lists what is in CASTELLAN_REGISTRATION_CALLS.`;
      throw invalidField(`${property}.target`, message);
    }
    if (BigInt(value) > BigInt(allowed.maxWei)) {
      const message = `${property}.value: this call may send ${allowed.maxWei} wei at most.`;
      throw invalidField(`${property}.value`, message);
    }
  }
};

/** The registration alone, or after other calls in one transaction. */
const callOf = (
  registration: Registration,
  { signers = [], pre_registration_calls: before = [], storage_units: extra = 0 }: RegisterUserOnChainReqBody,
  price: bigint,
): Call => {
  const keys = signers.map((signer) => ({
    keyType: signer.key_type ?? KEY_TYPE,
    key: hex(signer.public_key),
    metadataType: signer.metadata_type ?? METADATA_TYPE,
    metadata: hex(signer.metadata),
    deadline: BigInt(signer.deadline),
    sig: hex(signer.signature),
  }));
  const data = encodeFunctionData({
    abi: bundler.abi,
    functionName: 'register',
    args: [registration, keys, BigInt(extra)],
  });
  if (before.length === 0) return { to: bundler.address, data, value: withPriceMargin(price), purpose: 'register' };
  // Multicall3 cannot receive what the contract returns of a higher payment, so this is the exact price.
  const calls = [
    ...before.map(({ target, data: callData, value = 0, allow_failure: allowFailure = false }) => ({
      target: hex(target),
      allowFailure,
      value: BigInt(value),
      callData: hex(callData),
    })),
    { target: bundler.address, allowFailure: false, value: price, callData: data },
  ];
  return {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3Value', args: [calls] }),
    value: calls.reduce((sum, { value }) => sum + value, 0n),
    purpose: 'register',
  };
};

/** @returns the account that a transaction registered */
export const registeredFid = ({ logs, transactionHash }: Receipt): number => {
  const [event] = parseEventLogs({ abi: idRegistry.abi, eventName: 'Register', logs }).filter(({ address }) =>
    isAddressEqual(address, idRegistry.address),
  );
  if (event) return Number(event.args.id);
  throw new AppError('internal', 'TransactionFailed', `The transaction ${transactionHash} registered no account.`);
};

/**
 * Registers an account that a person signed for, with its signers, in one transaction. Everything that can fail is
 * checked before the wallet pays.
 * @throws AppError `invalid` for faults of the request, a wallet that cannot pay or an exceeded daily limit; `internal`
 *   if it is not mined in time
 */
export const registerOnchain = async (
  deps: AccountDependencies,
  request: {
    readonly appId: string;
    readonly wallet: UsableWallet;
    readonly body: RegisterUserOnChainReqBody;
    readonly idempotencyRecord: IdempotencyRecord | undefined;
  },
): Promise<{ readonly fid: number; readonly hash: Hex }> => {
  const { appId, wallet, body, idempotencyRecord } = request;
  const plan = async (): Promise<Call> => {
    const { registration: signed, signers = [], storage_units: extra = 0 } = body;
    requireBytes(signed.signature, 'registration.signature');
    requireFuture(signed.deadline, 'registration.deadline', deps.clock());
    const registration: Registration = {
      to: checkedAddress(signed.custody_address, 'registration.custody_address'),
      recovery: checkedAddress(signed.recovery_address, 'registration.recovery_address'),
      deadline: BigInt(signed.deadline),
      sig: hex(signed.signature),
    };
    requireAllowed(deps, body.pre_registration_calls ?? []);
    const client = registryClient(deps.networks);
    const [state, price] = await Promise.all([
      readAddressState(client, registration.to),
      readRegistrationPrice(client, extra),
    ]);
    requireNoAccount(registration.to, state);
    await requireRegisterSignature(deps, registration, state.registerNonce);
    await requireSigners(deps, registration.to, signers, state.addKeyNonce);
    return callOf(registration, body, price);
  };
  const sent = await deps.registry.send({ spenderId: appId, wallet, plan, idempotencyRecord });
  const receipt = await deps.registry.receipt(sent.id, RECEIPT_WAIT_MS);
  if (receipt) return { fid: registeredFid(receipt), hash: receipt.transactionHash };
  const advice = 'Send the same request again, with the same idem, to wait for it.';
  throw stillPending(sent.hash, advice);
};
