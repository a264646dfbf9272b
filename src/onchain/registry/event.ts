import {
  type IdRegisterEventBody,
  IdRegisterEventType,
  OnChainEvent,
  OnChainEventType,
  SignerEventType,
} from '@farcaster/core';
import { hexToBytes, isAddressEqual, type Log, parseEventLogs } from 'viem';
import { fromHex } from '../../hex.js';
import { PUBLIC_CHAINS } from '../network.js';
import { idRegistry, keyRegistry, REGISTRY_NETWORK, storageRegistry } from './contract.js';

const YEAR_S = 365 * 86_400;
const NONE = new Uint8Array(0);

/** A log in a mined block. */
export type MinedLog = Log<bigint, number, false>;

/** Position of events in the order of the chain. */
export interface EventBlock {
  readonly number: number;
  /** Added to the position of each log in its block. */
  readonly firstLogIndex: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

type Body = Pick<OnChainEvent, 'type' | 'fid'> & Partial<OnChainEvent>;

const idRegister = (
  fid: bigint,
  eventType: IdRegisterEventType,
  { from = NONE, to = NONE, recoveryAddress = NONE }: Partial<IdRegisterEventBody>,
): Body => ({
  type: OnChainEventType.EVENT_TYPE_ID_REGISTER,
  fid: Number(fid),
  idRegisterEventBody: { eventType, from, to, recoveryAddress },
});

const idRegistryBody = (log: MinedLog): Body | undefined => {
  const [event] = parseEventLogs({
    abi: idRegistry.abi,
    eventName: ['Register', 'Transfer', 'ChangeRecoveryAddress'],
    logs: [log],
  });
  if (event?.eventName === 'Register') {
    const { id, to, recovery } = event.args;
    return idRegister(id, IdRegisterEventType.REGISTER, { to: fromHex(to), recoveryAddress: fromHex(recovery) });
  }
  if (event?.eventName === 'Transfer') {
    const { id, from, to } = event.args;
    return idRegister(id, IdRegisterEventType.TRANSFER, { from: fromHex(from), to: fromHex(to) });
  }
  if (event === undefined) return undefined;
  const { id, recovery } = event.args;
  return idRegister(id, IdRegisterEventType.CHANGE_RECOVERY, { recoveryAddress: fromHex(recovery) });
};

/** The contract has another `Add` and another `Remove`, of its guardians. */
const KEY_EVENTS = keyRegistry.abi.filter(
  (item) => item.type === 'event' && ['Add', 'Remove', 'AdminReset'].includes(item.name) && item.inputs.length > 1,
);
const KEY_EVENT_TYPES: Readonly<Record<string, SignerEventType>> = {
  Add: SignerEventType.ADD,
  Remove: SignerEventType.REMOVE,
  AdminReset: SignerEventType.ADMIN_RESET,
};

const keyRegistryBody = (log: MinedLog): Body | undefined => {
  const [event] = parseEventLogs({ abi: KEY_EVENTS, logs: [log] }) as readonly {
    readonly eventName: string;
    readonly args: {
      readonly fid: bigint;
      readonly keyBytes: `0x${string}`;
      readonly keyType?: number;
      readonly metadata?: `0x${string}`;
      readonly metadataType?: number;
    };
  }[];
  if (event === undefined) return undefined;
  const { fid, keyBytes, keyType = 0, metadata = '0x', metadataType = 0 } = event.args;
  return {
    type: OnChainEventType.EVENT_TYPE_SIGNER,
    fid: Number(fid),
    signerEventBody: {
      key: hexToBytes(keyBytes),
      keyType,
      eventType: KEY_EVENT_TYPES[event.eventName] as SignerEventType,
      metadata: hexToBytes(metadata),
      metadataType,
    },
  };
};

const storageRegistryBody = (log: MinedLog, timestamp: number): Body | undefined => {
  const [event] = parseEventLogs({ abi: storageRegistry.abi, eventName: 'Rent', logs: [log] });
  if (event === undefined) return undefined;
  const { payer, fid, units } = event.args;
  return {
    type: OnChainEventType.EVENT_TYPE_STORAGE_RENT,
    fid: Number(fid),
    storageRentEventBody: { payer: fromHex(payer), units: Number(units), expiry: timestamp + YEAR_S },
  };
};

const bodyOf = (log: MinedLog, timestamp: number): Body | undefined => {
  if (isAddressEqual(log.address, idRegistry.address)) return idRegistryBody(log);
  if (isAddressEqual(log.address, keyRegistry.address)) return keyRegistryBody(log);
  if (isAddressEqual(log.address, storageRegistry.address)) return storageRegistryBody(log, timestamp);
  return undefined;
};

/**
 * Decodes logs of one block as a hub does (snapchain, onchain_events).
 * @returns the events of accounts, keys and storage; logs of other contracts and other events are left out
 */
export const registryEvents = (logs: readonly MinedLog[], block: EventBlock): OnChainEvent[] =>
  logs.flatMap((log) => {
    const body = bodyOf(log, block.timestamp);
    if (body === undefined) return [];
    return [
      OnChainEvent.create({
        chainId: PUBLIC_CHAINS[REGISTRY_NETWORK].id,
        blockNumber: block.number,
        blockHash: hexToBytes(log.blockHash),
        blockTimestamp: block.timestamp,
        transactionHash: hexToBytes(log.transactionHash),
        txIndex: log.transactionIndex,
        logIndex: block.firstLogIndex + log.logIndex,
        ...body,
      }),
    ];
  });
