import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Signed } from '../src/sample/signed-message.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

const hashOf = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

/** Hashes of the casts of the channel's feed, replies included. */
const feed = async (): Promise<string[]> => {
  const path = `/v2/social/feed/parent_urls/?parent_urls=${encodeURIComponent(CHANNEL_URL)}&with_replies=true&limit=100`;
  const { body } = await network.get(path);
  return body.casts.map(({ hash }: { hash: string }) => hash);
};

const lookup = async (cast: Signed) =>
  (await network.get(`/v2/social/cast/?identifier=${hashOf(cast)}&type=hash`)).body.cast;

/** A thread in the channel: a cast of Carol, a reply of Dan, and one of Alice to that. */
const thread = (about: string): [root: Signed, middle: Signed, below: Signed] => {
  const root = seeded.carol.cast({ text: about, parent: CHANNEL_URL });
  const middle = seeded.dan.cast({ text: 'a reply', parent: root });
  return [root, middle, seeded.alice.cast({ text: 'a reply to the reply', parent: middle })];
};

const expectInThread = async (cast: Signed, root: Signed): Promise<void> => {
  expect(await lookup(cast)).toMatchObject({ thread_hash: hashOf(root), root_parent_url: CHANNEL_URL });
  expect(await feed()).toContain(hashOf(cast));
};

test('a deleted reply leaves the replies below it in their thread and channel', async () => {
  const [root, middle, below] = thread('tomatoes');
  await seeded.send(root, middle, below, seeded.dan.removeCast(middle.hash));
  await expectInThread(below, root);
  expect(await feed()).not.toContain(hashOf(middle));
});

test('a deleted first cast leaves its replies in the channel', async () => {
  const [root, middle, below] = thread('cucumbers');
  await seeded.send(root, middle, below);
  await seeded.send(seeded.carol.removeCast(root.hash));
  await expectInThread(middle, root);
  await expectInThread(below, root);
});

test('a reply to a deleted reply, and one that arrives before it, belong to the thread', async () => {
  const [root, middle, below] = thread('beans');
  await seeded.send(below);
  await seeded.send(seeded.dan.removeCast(middle.hash));
  // A hub may send the deleted reply again.
  await seeded.send(middle);
  await seeded.send(root);
  await expectInThread(below, root);
  const late = seeded.bob.cast({ text: 'late', parent: middle });
  await seeded.send(late);
  await expectInThread(late, root);
});

test('a reply that a hub pruned or revoked leaves those below it in place', async () => {
  for (const reason of ['prune', 'revoke'] as const) {
    const [root, middle, below] = thread(`peas, ${reason}`);
    await seeded.send(root, middle, below);
    await network.load([{ kind: 'removal', reason, wire: middle.wire }]);
    expect(await feed()).not.toContain(hashOf(middle));
    await expectInThread(below, root);
    expect(await audit(network.app.core.db)).toEqual([]);
  }
});
