import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../src/hex.js';
import { type Network, startNetwork } from '../support/network.js';
import { FIDS, type Seeded, seedBasics } from '../support/seed.js';
import { approvedSigner } from '../support/signer.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';
import { answeredOf, type Outcome, runProgram } from './run-program.js';

const failed = (outcomes: Readonly<Record<string, Outcome>>) =>
  Object.entries(outcomes).filter(([, outcome]) => 'error' in outcome);

describe.skipIf(withoutPrograms)('programs of agents', () => {
  let network: Network;
  let seeded: Seeded;
  let signer: string;
  beforeAll(async () => {
    requirePrograms();
    network = await startNetwork();
    seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
    signer = (await approvedSigner(network, seeded.heidi)).uuid;
  });
  afterAll(() => network?.stop());

  test('@coinbase/agentkit reads its account and casts', async () => {
    const made = await runProgram('programs/agentkit.mjs', network.url, {
      apiKey: network.apiKey,
      signer,
      fid: FIDS.heidi,
      embed: 'https://news.example/beans',
    });
    expect(failed(made)).toEqual([]);
    expect(made.account_details).toMatchObject({ value: { fid: FIDS.heidi, username: 'heidi' } });
    expect(made.post_cast).toMatchObject({
      value: { success: true, cast: { author: { fid: FIDS.heidi }, text: 'Posted by an agent' } },
    });
    const { casts } = (await network.get(`/v2/farcaster/feed/user/casts?fid=${FIDS.heidi}`)).body;
    expect(casts[0]).toMatchObject({ text: 'Posted by an agent', embeds: [{ url: 'https://news.example/beans' }] });
    recordRun('@coinbase/agentkit', answeredOf(made));
  });

  test('@elizaos/plugin-farcaster casts, replies and reads what agents answer to', async () => {
    const { casts } = seeded;
    const deepReply = toHex(casts.deepReply.hash);
    const made = await runProgram('programs/elizaos.mjs', network.url, {
      apiKey: network.apiKey,
      signer,
      fid: FIDS.heidi,
      other: FIDS.alice,
      cast: deepReply,
    });
    expect(failed(made)).toEqual([]);
    const author = { fid: FIDS.heidi, username: 'heidi' };
    const returned = (name: string) => (made[name] as { readonly value: unknown }).value;
    expect(returned('sendCast')).toMatchObject([{ author, text: 'Written by an agent', parent_hash: deepReply }]);
    expect(returned('publishCast')).toMatchObject({ author, text: 'Published by an agent' });
    expect(returned('getCast')).toMatchObject({ hash: deepReply, author: { fid: FIDS.carol } });
    expect(returned('getMentions')).toEqual(
      expect.arrayContaining(
        [casts.reply, casts.emoji].map(({ hash }) => expect.objectContaining({ hash: toHex(hash) })),
      ),
    );
    expect(returned('getProfile')).toEqual({
      fid: FIDS.alice,
      name: 'Alice 🌱',
      username: 'alice',
      bio: 'Gardens with @bob',
      pfp: 'https://image.example/avatar/alice.png',
    });
    expect(returned('getTimeline')).toMatchObject({ timeline: [{ hash: toHex(casts.hello.hash) }] });
    expect(returned('healthCheck')).toMatchObject({ healthy: true, details: { activeManagers: 1 } });
    expect(returned('casts.createCast')).toMatchObject({ text: 'Created by an agent', username: 'heidi' });
    expect(returned('messages.sendMessage')).toMatchObject({ text: 'Sent by an agent', username: 'heidi' });
    const textsOf = (name: string) => (returned(name) as { readonly text: string }[]).map(({ text }) => text).sort();
    const before = ['Created by an agent', 'Posted by an agent', 'Published by an agent', 'Written by an agent'];
    expect(textsOf('casts.getCasts')).toEqual(before);
    expect(textsOf('messages.getMessages')).toEqual([...before, 'Sent by an agent'].sort());
    expect(returned('casts.getMentions')).toEqual([]);
    expect(returned('messages.getMessage')).toMatchObject({ type: 'REPLY', username: 'carol' });
    const thread = [casts.hello, casts.reply, casts.deepReply].map(({ hash }) => ({
      metadata: { castHash: toHex(hash) },
    }));
    expect(returned('messages.getThread')).toMatchObject(thread);
    recordRun('@elizaos/plugin-farcaster', answeredOf(made));
  });
});
