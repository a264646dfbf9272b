import {
  bundlerABI,
  idGatewayABI,
  idRegistryABI,
  keyGatewayABI,
  keyRegistryABI,
  storageRegistryABI,
} from '@farcaster/core';
import { decodeErrorResult, type Hex } from 'viem';
import { cleanText } from '../../clean-text.js';

const MAX_REASON_LENGTH = 200;

/** The errors of all contracts; one with several meanings has the same in each of them. */
const ERRORS = [idRegistryABI, idGatewayABI, keyRegistryABI, keyGatewayABI, storageRegistryABI, bundlerABI]
  .flat()
  .filter(({ type }) => type === 'error');

const REASONS: Readonly<Record<string, string>> = {
  InvalidSignature:
    'A signature is not valid. It must be signed for chain id 10, by the right address and with its current nonce.',
  SignatureExpired: 'The deadline of a signature has passed. Sign again with a later one.',
  HasId: 'The custody address has an account already. Use an address without one.',
  HasNoId: 'The custody address has no account.',
  InvalidAccountNonce: 'The nonce of a signature is not the current one of its signer. Read it again and sign again.',
  InvalidMetadata:
    'The metadata of a signer is not a valid signed key request: look at its app, signature and deadline.',
  InvalidMetadataType: 'metadata_type must be 1, a signed key request.',
  InvalidKeyType: 'key_type must be 1, an Ed25519 key.',
  InvalidState: 'The account had this key before, and the contract accepts a key only once. Use another key.',
  ExceedsMaximum: 'The account would have more than 1000 keys.',
  InvalidPayment: 'The price of storage rose while the transaction was sent. Try again.',
  InvalidAmount: 'At least one unit of storage must be bought.',
  ExceedsCapacity: 'The contract does not sell that many units of storage.',
  ContractDeprecated: 'The contract does not sell storage any more.',
  StaleAnswer: 'The contract has no current price of ether. Try again later.',
  SequencerDown: 'The network is recovering from an outage, so the contract sells no storage. Try again later.',
  GracePeriodNotOver: 'The network is recovering from an outage, so the contract sells no storage. Try again later.',
  CallFailed: 'The contract could not send ether, or a call within the transaction failed.',
};

/**
 * @param data revert data; undefined or `0x`: the contract gave none
 * @returns why a contract rejects a transaction, as a sentence for the API client
 */
export const readRegistryRevert = (data: Hex | undefined): string => {
  if (data === undefined || data === '0x') return 'The contract rejects the transaction without a reason.';
  try {
    // viem also decodes Error(string) and Panic(uint256) of Solidity.
    const { errorName: name, args = [] } = decodeErrorResult({ abi: ERRORS, data }) as {
      readonly errorName: string;
      readonly args?: readonly unknown[];
    };
    const detail = name === 'Error' ? cleanText(String(args[0]), MAX_REASON_LENGTH) : name;
    return REASONS[name] ?? `The contract rejects the transaction: ${detail}.`;
  } catch {
    const shown = cleanText(data, MAX_REASON_LENGTH);
    return `The contract rejects the transaction with an unknown error: ${shown}.`;
  }
};
