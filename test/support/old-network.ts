import { UserDataType } from '@farcaster/core';
import type { IngestItem } from '../../src/ingest/item.js';
import { author } from '../../src/sample/author.js';
import { createClock, DAY, sampleTime } from '../../src/sample/clock.js';
import type { Signed } from '../../src/sample/signed-message.js';

/** The column that says why a row is no longer in force. */
export type RemovalColumn = 'deleted_at' | 'pruned_at' | 'revoked_at';

/** Messages of two accounts that an indexer has seen. */
export interface OldNetwork {
  readonly chain: readonly Extract<IngestItem, { kind: 'onchain' }>[];
  /** The name `alice`. */
  readonly name: Extract<IngestItem, { kind: 'proof' }>;
  /** The last message replies to the first cast. */
  readonly inForce: readonly Signed[];
  readonly gone: readonly (readonly [RemovalColumn, Signed])[];
}

/** Two accounts of the devnet, fids 7 and 8, with current and removed messages. */
export const oldNetwork = async (seed: string): Promise<OldNetwork> => {
  // One clock, so that no two events are in the same block.
  const clock = createClock(sampleTime() - DAY);
  const alice = author({ seed, fid: 7, clock });
  const bob = author({ seed, fid: 8, clock, dataForm: 'data_bytes' });
  const chain: IngestItem[] = [];
  for (const one of [alice, bob]) chain.push(one.register(), one.rent(1), await one.addSigner());
  const name = await alice.fnameProof('alice');
  if (name.kind !== 'proof') throw new Error('a name needs a proof');
  const [hello, removed] = [alice.cast({ text: 'hello' }), alice.cast({ text: 'gone' })];
  const inForce = [
    ...[alice.userData(UserDataType.USERNAME, 'alice'), hello, alice.cast({ text: 'é'.repeat(200) })],
    ...[alice.removeCast(removed.hash), await alice.verifyEthereum(alice.wallet(1))],
    ...[bob.react('like', { fid: alice.fid, hash: hello.hash }), bob.follow(alice.fid)],
    bob.cast({ text: 'hi', parent: { fid: alice.fid, hash: hello.hash } }),
  ];
  return {
    chain: chain.flatMap((item) => (item.kind === 'onchain' ? [item] : [])),
    name,
    inForce,
    gone: [
      ['deleted_at', removed],
      ['pruned_at', bob.cast({ text: 'too many' })],
      ['revoked_at', bob.withKey(1).cast({ text: 'a key taken back' })],
    ],
  };
};
