import { FarcasterNetwork, OnChainEvent, type OnChainEventType } from '@farcaster/core';
import type { IngestItem } from '../../src/ingest/item.js';
import { channelIdOf } from '../../src/protocol/channel/identity.js';
import { blake3Hash20 } from '../../src/protocol/hash.js';
import { fromUnixMs, toUnixMs } from '../../src/protocol/time.js';
import { encodeEnvelope } from '../../src/protocol/wire/envelope.js';
import { encodeByteString, encodeVarint } from '../../src/protocol/wire/wire.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import type { Signed } from '../../src/sample/signed-message.js';

/** A field of a protobuf message: a number, bytes or a text. Absent ones are left out, zeros are written. */
export type WireValue = number | Uint8Array | string | undefined;

/** @returns a protobuf message with these fields in ascending order */
export const wireOf = (fields: Readonly<Record<number, WireValue>>): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      Object.entries(fields).flatMap(([number, value]): Uint8Array[] => {
        if (value === undefined) return [];
        const field = Number(number);
        if (typeof value === 'number') return [encodeVarint(field * 8), encodeVarint(value)];
        return [encodeByteString(field, typeof value === 'string' ? Buffer.from(value) : value)];
      }),
    ),
  );

export interface ChannelAuthor {
  readonly seed: string;
  readonly fid: number;
  /** Protocol seconds; by default a fixed time of 2025. */
  readonly at?: number;
}

const AT = fromUnixMs(Date.UTC(2025, 5, 1));

/** @returns the data of a message about a channel, whose body is in the field `type + 3` */
export const channelData = (fid: number, type: number, body: Uint8Array, at = AT): Uint8Array =>
  wireOf({ 1: type, 2: fid, 3: at, 4: FarcasterNetwork.DEVNET, [type + 3]: body });

/** @returns a message of kind 18 to 21, signed by the first key of a sample author */
export const channelMessage = ({ seed, fid, at = AT }: ChannelAuthor, type: number, body: Uint8Array): Signed => {
  const key = signerKey(derive(seed, 'signer', fid, 0));
  const dataBytes = channelData(fid, type, body, at);
  const hash = blake3Hash20(dataBytes);
  const wire = encodeEnvelope({
    dataBytes,
    dataForm: 'data_bytes',
    hash,
    hashScheme: 1,
    signature: key.sign(hash),
    signatureScheme: 1,
    signer: key.publicKey,
  });
  return { wire, hash, fid, timestamp: at, item: { kind: 'message', wire } };
};

export interface RegisterInput {
  readonly key: string;
  readonly owner?: Uint8Array;
  /** Unix seconds. */
  readonly expiry?: number;
  /** 1 register, 2 renew, 3 transfer, which has no key. */
  readonly type?: number;
  /** By default the id of the channel, as hubs send it. */
  readonly label?: string | Uint8Array;
  readonly block?: number;
}

/** @returns the bytes of an `OnChainEvent` that registers, renews or transfers a channel */
export const channelRegistration = (input: RegisterInput): IngestItem => {
  const { key, owner, type = 1, label = channelIdOf(key), block = 1_000 } = input;
  const isTransfer = type === 3;
  const { expiry = isTransfer ? 0 : 2_000_000_000 } = input;
  const head = OnChainEvent.encode(
    OnChainEvent.create({
      type: 6 as OnChainEventType,
      chainId: 10,
      blockNumber: block,
      blockTimestamp: toUnixMs(AT - 1_000) / 1000 + block,
      transactionHash: derive('channel', 'transaction', key, block),
      logIndex: 1,
      fid: 0,
    }),
  ).finish();
  const body = wireOf({
    1: isTransfer ? undefined : key,
    2: expiry,
    3: owner,
    4: type,
    5: isTransfer ? channelIdOf(key) : label,
  });
  const wire = new Uint8Array(Buffer.concat([head, encodeByteString(16, body)]));
  return { kind: 'onchain', event: OnChainEvent.decode(wire), wire };
};
