import { OnChainEvent, OnChainEventType } from '@farcaster/core';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../error.js';
import type { IngestItem } from '../../ingest/item.js';
import { author } from '../../sample/author.js';
import { onChainEventFromJson, onChainEventToJson } from './onchain.js';
import { usernameProofFromJson, usernameProofToJson } from './proof.js';

type Json = Record<string, unknown>;

const alice = author({ seed: 'hub-json-onchain', fid: 7 });
const eventOf = (item: IngestItem): OnChainEvent => {
  if (item.kind !== 'onchain') throw new Error('no onchain event');
  return item.event;
};
const render = (event: OnChainEvent): Json => JSON.parse(JSON.stringify(onChainEventToJson(event)));
const wireOf = (event: OnChainEvent): Buffer => Buffer.from(OnChainEvent.encode(event).finish());

const events = {
  register: eventOf(alice.register()),
  transfer: eventOf(alice.transfer(1)),
  'signer add': eventOf(await alice.addSigner()),
  'signer removal': eventOf(alice.removeSigner()),
  rent: eventOf(alice.rent(2)),
  tier: eventOf(alice.buyPro(30)),
  migration: OnChainEvent.create({
    ...eventOf(alice.register()),
    type: OnChainEventType.EVENT_TYPE_SIGNER_MIGRATED,
    idRegisterEventBody: undefined,
    signerMigratedEventBody: { migratedAt: 1_700_000_000 },
  }),
  'of a kind to come': OnChainEvent.create({
    ...eventOf(alice.register()),
    type: 6 as OnChainEventType,
    idRegisterEventBody: undefined,
    version: 3,
    txIndex: 4,
  }),
};

const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('an onchain event in hub JSON', () => {
  it.each(Object.entries(events))('%s goes there and back', (_name, event) => {
    expect(wireOf(onChainEventFromJson(render(event)))).toEqual(wireOf(event));
  });

  it('has the contract form', () => {
    expect(render(events['signer add'])).toEqual({
      type: 'EVENT_TYPE_SIGNER',
      chainId: 10,
      blockNumber: events['signer add'].blockNumber,
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockTimestamp: events['signer add'].blockTimestamp,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      logIndex: events['signer add'].logIndex,
      fid: 7,
      txIndex: 0,
      version: 0,
      signerEventBody: {
        key: `0x${Buffer.from(alice.signer).toString('hex')}`,
        keyType: 1,
        eventType: 'SIGNER_EVENT_TYPE_ADD',
        metadata: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
        metadataType: 1,
      },
    });
    expect(render(events.register).idRegisterEventBody).toMatchObject({
      eventType: 'ID_REGISTER_EVENT_TYPE_REGISTER',
      from: '0x',
    });
    expect(render(events.rent).storageRentEventBody).toMatchObject({
      payer: Buffer.from(alice.custody.address).toString('base64'),
    });
    expect(render(events.tier)).toMatchObject({
      type: 'EVENT_TYPE_TIER_PURCHASE',
      tier_purchase_event_body: { for_days: 30, tier_type: 'Pro' },
    });
  });

  it('is read in the spellings of hub software', () => {
    const register = render(events.register);
    const body = register.idRegisterEventBody as Json;
    const read = onChainEventFromJson({
      ...register,
      type: 3,
      tier_purchase_event_body: null,
      idRegisterEventBody: { ...body, eventType: 'Register', from: '' },
    });
    expect(wireOf(read)).toEqual(wireOf(events.register));

    const rent = render(events.rent);
    const payer = `0x${Buffer.from(alice.custody.address).toString('hex')}`;
    const hexPayer = { ...rent, storageRentEventBody: { ...(rent.storageRentEventBody as Json), payer } };
    expect(wireOf(onChainEventFromJson(hexPayer))).toEqual(wireOf(events.rent));

    const { tier_purchase_event_body: tier, ...rest } = render(events.tier);
    const camel = { payer: (tier as Json).payer, forDays: '30', tierType: 1 };
    expect(wireOf(onChainEventFromJson({ ...rest, tierPurchaseEventBody: camel }))).toEqual(wireOf(events.tier));
  });

  it.each([
    ['fid', { fid: 'x' }],
    ['blockHash', { blockHash: 'not hex' }],
    ['type', { type: 'EVENT_TYPE_NEW' }],
    ['idRegisterEventBody', { idRegisterEventBody: [] }],
    ['idRegisterEventBody.to', { idRegisterEventBody: {} }],
  ])('names %s when it is wrong', (property, change) => {
    const fault = errorOf(() => onChainEventFromJson({ ...render(events.register), ...change }));
    expect(fault).toBeInstanceOf(AppError);
    expect(fault).toMatchObject({ kind: 'invalid', property });
  });
});

describe('a username proof in hub JSON', async () => {
  const item = await alice.fnameProof('alice');
  if (item.kind !== 'proof') throw new Error('no proof');
  const json = JSON.parse(JSON.stringify(usernameProofToJson(item.proof)));

  it('goes there and back', () => {
    expect(json).toMatchObject({ name: 'alice', fid: 7, type: 'USERNAME_TYPE_FNAME' });
    expect(usernameProofToJson(usernameProofFromJson(json))).toEqual(json);
  });

  it('is read with the hex signature of the name registry', () => {
    const signature = `0x${Buffer.from(json.signature, 'base64').toString('hex')}`;
    expect(usernameProofToJson(usernameProofFromJson({ ...json, signature }))).toEqual(json);
  });

  it('names what is wrong', () => {
    expect(errorOf(() => usernameProofFromJson({ ...json, owner: '0x12' }))).toMatchObject({ property: 'owner' });
    expect(errorOf(() => usernameProofFromJson({ ...json, name: 1 }, 'a.b'))).toMatchObject({ property: 'a.b.name' });
  });
});
