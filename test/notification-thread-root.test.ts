import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import {
  hashOf,
  type NotificationFlow,
  type Notified,
  recordsOf,
  startNotificationFlow,
} from './support/notification.js';
import { FIDS } from './support/seed.js';

const URL_HERE = 'https://place.example/~/here';
const URL_THERE = 'https://place.example/~/there';

let flow: NotificationFlow;
beforeAll(async () => {
  flow = await startNotificationFlow();
});
afterAll(() => flow.network.stop());

const under = async (fid: number, ...urls: string[]): Promise<Notified[]> => {
  const list = urls.map((url) => encodeURIComponent(url)).join(',');
  const answer = await flow.network.get(`/v2/social/notifications/parent_url/?fid=${fid}&parent_urls=${list}&limit=25`);
  expect(answer.status).toBe(200);
  expect(answer.body.unseen_notifications_count).toBe(recordsOf(answer).length);
  return recordsOf(answer);
};
const brief = (records: readonly Notified[]) => records.map(({ type, cast }) => `${type} ${cast?.hash}`).sort();

/** One thread below a URL, all of which concerns `me` from the third cast on. */
const threadOf = (me: Author) => {
  const { bob, carol, dan, erin } = flow.seeded;
  const root = bob.cast({ text: 'First', parent: URL_HERE });
  const middle = carol.cast({ text: 'Second', parent: root });
  const mine = me.cast({ text: 'Third', parent: middle });
  const reply = dan.cast({ text: ['Fourth ', me.fid], parent: mine });
  const quote = erin.cast({ text: 'Fifth', parent: middle, embeds: [mine] });
  const mention = erin.cast({ text: ['Sixth ', me.fid, ' and ', FIDS.bob], parent: quote });
  const elsewhere = dan.cast({ text: ['Not here ', me.fid], parent: URL_THERE });
  const likes = [bob, carol].map((who) => who.react('like', mine));
  const recast = dan.react('recast', mine);
  return { root, middle, mine, reply, quote, mention, elsewhere, likes, recast };
};

const expectedOf = ({ mine, reply, quote, mention }: ReturnType<typeof threadOf>) =>
  [
    `likes ${hashOf(mine)}`,
    `recasts ${hashOf(mine)}`,
    `reply ${hashOf(reply)}`,
    `quote ${hashOf(quote)}`,
    `mention ${hashOf(mention)}`,
  ].sort();

/** Orders of arrival: as written, the other way round, the beginning last, reactions first, every third first. */
const ORDERS: Record<string, (all: readonly Signed[]) => Signed[]> = {
  'as written': (all) => [...all],
  backwards: (all) => [...all].reverse(),
  'the first cast last': ([first, ...rest]) => [...rest, first as Signed],
  'the second cast last': ([first, second, ...rest]) => [first as Signed, ...rest, second as Signed],
  'every third first': (all) => [0, 1, 2].flatMap((turn) => all.filter((_, n) => n % 3 === turn)).reverse(),
};

test.each(Object.keys(ORDERS))(
  'what is below a URL does not depend on the order in which it came: %s',
  async (order) => {
    const { join, network, seeded } = flow;
    const me = await join();
    const thread = threadOf(me);
    const { root, middle, mine, reply, quote, mention, elsewhere, likes, recast } = thread;
    const all = [root, middle, mine, reply, quote, mention, elsewhere, ...likes, recast];
    await seeded.send(...(ORDERS[order] as (all: readonly Signed[]) => Signed[])(all));
    // Everything once more, at once.
    await network.load(all.map((message) => message.item));
    expect(brief(await under(me.fid, URL_HERE))).toEqual(expectedOf(thread));
    expect(brief(await under(me.fid, URL_THERE))).toEqual([`mention ${hashOf(elsewhere)}`]);
    expect(await under(me.fid, URL_THERE, URL_HERE, URL_THERE)).toHaveLength(6);
    expect(await under(me.fid, 'https://place.example/~/nowhere')).toEqual([]);
    // Neither the removal of the second cast nor that of the first moves the rest.
    await seeded.send(seeded.carol.removeCast(middle.hash), seeded.bob.removeCast(root.hash));
    expect(brief(await under(me.fid, URL_HERE))).toEqual(expectedOf(thread));
    expect(await under(me.fid, URL_THERE)).toHaveLength(1);
    expect(await audit(network.app.core.db)).toEqual([]);
  },
);

test('a reaction that comes or goes moves its group, and takes it along when it was the last', async () => {
  const { join, network, seeded } = flow;
  const { bob, carol } = seeded;
  const me = await join();
  const [one, two] = [me.cast({ text: 'one', parent: URL_HERE }), me.cast({ text: 'two', parent: URL_HERE })];
  await seeded.send(one, two, bob.react('like', one), bob.react('like', two));
  const order = async () => (await under(me.fid, URL_HERE)).map(({ cast }) => cast?.hash);
  expect(await order()).toEqual([hashOf(two), hashOf(one)]);
  await seeded.send(carol.react('like', one));
  expect(await order()).toEqual([hashOf(one), hashOf(two)]);
  await seeded.send(carol.unreact('like', one));
  expect(await order()).toEqual([hashOf(two), hashOf(one)]);
  await seeded.send(bob.unreact('like', two));
  expect(await order()).toEqual([hashOf(one)]);
  await seeded.send(me.removeCast(one.hash));
  expect(await order()).toEqual([]);
  expect(await audit(network.app.core.db)).toEqual([]);
});
