import {
  FarcasterNetwork,
  LendStorageBody,
  MessageType,
  OnChainEvent,
  OnChainEventType,
  StorageUnitType,
} from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConflictCandidate, MessageSet } from './conflict.js';
import { activeUnits, isPruned, messagesOverLimit, rentedUnits, storageLimit } from './storage-limit.js';

const { UNIT_TYPE_LEGACY, UNIT_TYPE_2024, UNIT_TYPE_2025 } = StorageUnitType;
const { MAINNET, TESTNET } = FarcasterNetwork;
const YEAR = 365 * 24 * 60 * 60;
const seconds = (iso: string): number => Date.parse(iso) / 1000;

const rent = (at: number, units: number): OnChainEvent =>
  OnChainEvent.fromPartial({
    type: OnChainEventType.EVENT_TYPE_STORAGE_RENT,
    blockTimestamp: at,
    storageRentEventBody: { units, expiry: 1 },
  });

const before = Date.parse('2026-06-01T00:00:00Z');
const after = Date.parse('2026-07-01T00:00:00Z');

describe('rentedUnits', () => {
  it.each([
    ['2024-08-28T23:59:59Z', UNIT_TYPE_LEGACY, 3, 4],
    ['2024-08-29T00:00:00Z', UNIT_TYPE_2024, 2, 3],
    ['2025-07-16T16:59:59Z', UNIT_TYPE_2024, 2, 3],
    ['2025-07-16T17:00:00Z', UNIT_TYPE_2025, 1, 2],
    ['2026-06-22T16:59:59Z', UNIT_TYPE_2025, 1, 2],
    ['2026-06-22T17:00:00Z', UNIT_TYPE_2025, 1, 1],
  ])('of %s are of type %i and last %i years, %i since all were prolonged', (iso, unitType, years, prolonged) => {
    const at = seconds(iso);
    expect(rentedUnits(rent(at, 3), MAINNET, before)).toEqual({ unitType, units: 3, expiresAt: at + years * YEAR });
    expect(rentedUnits(rent(at, 3), MAINNET, after)?.expiresAt).toBe(at + prolonged * YEAR);
  });

  it('changes type some days earlier on the other networks', () => {
    const at = seconds('2025-07-14T00:00:00Z');
    expect(rentedUnits(rent(at, 1), MAINNET, after)?.unitType).toBe(UNIT_TYPE_2024);
    expect(rentedUnits(rent(at, 1), TESTNET, after)?.unitType).toBe(UNIT_TYPE_2025);
  });

  it('knows nothing of events that are no rent', () => {
    expect(rentedUnits(OnChainEvent.fromPartial({ blockTimestamp: 1 }), MAINNET, after)).toBeUndefined();
  });
});

describe('activeUnits', () => {
  const now = after;
  const at = now / 1000;

  it('adds up what has not expired, to the second', () => {
    const events = [rent(at - 10, 8), rent(at - YEAR, 1), rent(at - 2 * YEAR, 4), rent(at - 4 * YEAR, 16)];
    expect(activeUnits({ events }, MAINNET, now)).toEqual({ 0: 4, 1: 1, 2: 8 });
    const legacy = rent(seconds('2022-07-01T00:00:00Z'), 5);
    const end = (seconds('2022-07-01T00:00:00Z') + 4 * YEAR) * 1000;
    expect(activeUnits({ events: [legacy] }, MAINNET, end - 1)[UNIT_TYPE_LEGACY]).toBe(5);
    expect(activeUnits({ events: [legacy] }, MAINNET, end)[UNIT_TYPE_LEGACY]).toBe(0);
  });

  it('subtracts lent units and adds borrowed ones, type by type', () => {
    const loan = (unitType: StorageUnitType, numUnits: number) => LendStorageBody.fromPartial({ unitType, numUnits });
    const sources = {
      events: [rent(at - 10, 8)],
      lent: [loan(UNIT_TYPE_2025, 3), loan(UNIT_TYPE_2025, 2), loan(UNIT_TYPE_2024, 7)],
      borrowed: [loan(UNIT_TYPE_LEGACY, 1), loan(UNIT_TYPE_2024, 2)],
    };
    expect(activeUnits(sources, MAINNET, now)).toEqual({ 0: 1, 1: 2, 2: 3 });
  });
});

describe('storageLimit', () => {
  it('is the sum over the kinds of units', () => {
    const units = { 0: 1, 1: 2, 2: 3 };
    expect(storageLimit(MessageSet.cast, units)).toBe(5000 + 2 * 2000 + 3 * 100);
    expect(storageLimit(MessageSet.link, units)).toBe(2500 + 2 * 1000 + 3 * 200);
    expect(storageLimit(MessageSet.linkCompactState, units)).toBe(storageLimit(MessageSet.link, units));
    expect(storageLimit(MessageSet.reaction, units)).toBe(2500 + 2 * 1000 + 3 * 200);
    expect(storageLimit(MessageSet.userData, units)).toBe(50 + 2 * 50 + 3 * 25);
    expect(storageLimit(MessageSet.verification, units)).toBe(25 + 2 * 25 + 3 * 5);
    expect(storageLimit(MessageSet.usernameProof, units)).toBe(5 + 2 * 5 + 3 * 2);
  });

  it('is set for loans and keys too, which are not pruned, and zero for unknown sets', () => {
    const units = { 0: 1, 1: 2, 2: 3 };
    expect(storageLimit(MessageSet.storageLending, units)).toBe(6);
    expect(storageLimit(MessageSet.key, units)).toBe(10_000);
    for (const set of [MessageSet.unknown, 99]) expect(storageLimit(set, units)).toBe(0);
    for (const set of Object.values(MessageSet)) {
      const isKept = [MessageSet.storageLending, MessageSet.key, MessageSet.unknown].some((kept) => kept === set);
      expect([set, isPruned(set)]).toEqual([set, !isKept]);
    }
  });

  it('is zero for everything without units', () => {
    for (const set of Object.values(MessageSet)) expect(storageLimit(set, { 0: 0, 1: 0, 2: 0 })).toBe(0);
  });
});

describe('messagesOverLimit', () => {
  const messageAt = (timestamp: number, hash: number, type: number = MessageType.LINK_ADD): ConflictCandidate => ({
    type,
    timestamp,
    envelope: { hash: Uint8Array.of(hash) },
  });

  it('prunes the oldest, by hash within a second', () => {
    const all = [messageAt(2, 1), messageAt(1, 9), messageAt(1, 3), messageAt(5, 1)];
    expect(messagesOverLimit(all, 2)).toEqual([messageAt(1, 3), messageAt(1, 9)]);
    expect(messagesOverLimit(all, 4)).toEqual([]);
  });

  it('counts compact states and spares them', () => {
    const all = [messageAt(1, 1, MessageType.LINK_COMPACT_STATE), messageAt(2, 2), messageAt(3, 3)];
    expect(messagesOverLimit(all, 2)).toEqual([messageAt(2, 2)]);
    expect(messagesOverLimit(all, 0)).toEqual([messageAt(2, 2), messageAt(3, 3)]);
  });

  it('does not depend on the order of arrival', () => {
    const one = fc.record({ timestamp: fc.integer({ min: 0, max: 5 }), hash: fc.integer({ min: 0, max: 255 }) });
    const set = fc.uniqueArray(one, { selector: (m) => m.hash, maxLength: 12 });
    const runs = set.chain((ms) =>
      fc.tuple(fc.constant(ms), fc.shuffledSubarray(ms, { minLength: ms.length }), fc.nat(12)),
    );
    fc.assert(
      fc.property(runs, ([a, b, limit]) => {
        const pruned = (ms: typeof a) =>
          messagesOverLimit(
            ms.map((m) => messageAt(m.timestamp, m.hash)),
            limit,
          );
        expect(pruned(b)).toEqual(pruned(a));
      }),
    );
  });
});
