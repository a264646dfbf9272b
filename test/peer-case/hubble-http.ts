import { ReactionType, UserDataType } from '@farcaster/core';
import { cases } from './front.js';
import { basic, frameAction } from './hubble-submit.js';
import { showStores } from './limit.js';
import { newestId } from './stream.js';

const { LIKE } = ReactionType;
const { PFP, BIO } = UserDataType;
const URL = 'https://target.example/over-http';
const PARENT = 'https://parent.example/over-http';
const CONVERSIONS =
  'It is a function of hubble that changes the form of bytes; the forms themselves are in the cases below.';
const OTHER_STATUS = 'hubble answered 400 to every fault over HTTP; the contract has 401 for a missing or wrong key.';

const isValid = ({ valid }: { valid: boolean }): string => (valid ? 'valid' : 'not valid');

export const HUBBLE_HTTP = cases({
  peer: 'hubble',
  file: 'httpServer.test.ts',
  id: 'hubble-http',
  over: 'http',
  state: async (front) => {
    const [alice, bob, carol] = [
      await front.account('alice'),
      await front.account('bob'),
      await front.account('carol'),
    ];
    const parent = { fid: bob.fid, hash: new Uint8Array(20).fill(1) };
    const { cast } = await front.write({
      cast: alice.cast({ text: ['gm ', bob.fid, ' ', carol.fid], parent }),
      later: alice.cast({ text: 'later', parent: PARENT }),
    });
    await front.write({
      reaction: alice.react('like', cast),
      likeOfUrl: bob.react('like', URL),
      recastOfUrl: bob.react('recast', URL),
      follow: alice.follow(bob.fid),
      picture: alice.userData(PFP, 'https://image.example/alice.png'),
      bio: alice.userData(BIO, 'Gardens'),
    });
    const key = front.network.apiKey;
    return {
      front,
      alice,
      fid: alice.fid,
      bob: bob.fid,
      carol: carol.fid,
      carolAuthor: carol,
      cast,
      parent,
      stranger: front.stranger(),
      key,
    };
  },
  rows: [
    { title: 'empty base64 as hex', theirs: 'empty', nothing: CONVERSIONS },
    { title: 'base64 as hex', theirs: 'the hex', nothing: CONVERSIONS },
    { title: 'empty base64 as base58', theirs: 'empty', nothing: CONVERSIONS },
    { title: 'base64 as base58', theirs: 'the base58', nothing: CONVERSIONS },
    {
      title: 'a page of another origin may read the answer',
      theirs: 'https://page.example',
      ours: '*',
      other: null,
      reason: 'Pages of every origin may read; hubble took the origin from its configuration.',
      call: 'getInfo',
      run: async ({ front }) => {
        const { headers } = await front.http({ path: 'info' }, { origin: 'https://page.example' });
        return headers.get('access-control-allow-origin') ?? 'none';
      },
    },
    {
      title: 'the version of the hub',
      theirs: 'a version',
      call: 'getInfo',
      show: ({ version }) => (/^\d+\.\d+\.\d+/.test(version) ? 'a version' : version),
    },
    {
      title: 'a hub without peers',
      theirs: '[]',
      other: 'UNIMPLEMENTED',
      reason:
        'This service takes no part in the gossip of hubs; over HTTP the list is empty, over gRPC a sentence says why.',
      call: 'getConnectedPeers',
      show: ({ contacts }) => JSON.stringify(contacts),
    },
    {
      title: 'a cast as bytes is answered as JSON',
      theirs: 'submitted',
      call: 'submitMessage',
      request: ({ front, carolAuthor }) => front.name({ submitted: carolAuthor.cast({ text: 'over HTTP' }) }).submitted,
    },
    {
      title: 'bytes that are no message',
      theirs: '400',
      call: 'submitMessage',
      request: () => ({ wire: Buffer.from('bad data') }),
    },
    {
      title: 'no password',
      theirs: '400 unauthenticated',
      ours: '401',
      reason: OTHER_STATUS,
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '' }),
      request: ({ alice }) => alice.cast({ text: 'no password' }),
    },
    {
      title: 'a wrong password',
      theirs: '400 unauthenticated',
      ours: '401',
      reason: OTHER_STATUS,
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '', authorization: basic('wrong') }),
      request: ({ alice }) => alice.cast({ text: 'a wrong password' }),
    },
    {
      title: 'the right password',
      theirs: 'withPassword',
      call: 'submitMessage',
      headers: ({ key }) => ({ 'x-api-key': '', authorization: basic(key) }),
      request: ({ front, carolAuthor }) =>
        front.name({ withPassword: carolAuthor.cast({ text: 'the right password' }) }).withPassword,
    },
    {
      title: 'an action in a frame is valid',
      theirs: 'valid',
      call: 'validateMessage',
      show: isValid,
      request: ({ front, fid }) => frameAction(front, fid),
    },
    {
      title: 'an action in a frame of an account that is not registered',
      theirs: '400 bad_request.unknown_fid',
      ours: 'valid',
      reason: 'A message is validated by itself, as in snapchain; the account is checked when it is submitted.',
      call: 'validateMessage',
      show: isValid,
      request: ({ front, stranger }) => frameAction(front, stranger.fid),
    },
    {
      title: 'the events of a new account and of its cast',
      theirs: '[registration, key, rent, cast]',
      call: 'getEvents',
      request: async ({ front }) => {
        const startId = (await newestId(front)) + 1;
        const dan = front.stranger('dan');
        await front.write({ registration: dan.register(), key: await dan.addSigner(), rent: dan.rent(1) });
        await front.write({ cast: dan.cast({ text: 'of dan' }) });
        return { startId };
      },
    },
    {
      title: 'one event by its id',
      theirs: 'cast',
      call: 'getEvent',
      request: async ({ front }) => ({ id: await newestId(front), shardIndex: 1 }),
    },
    {
      title: 'the events after the last but one',
      theirs: '[cast]',
      call: 'getEvents',
      request: async ({ front }) => ({ startId: (await newestId(front)) - 16_383 }),
    },
    {
      title: 'the events from the last one on',
      theirs: '[cast]',
      call: 'getEvents',
      request: async ({ front }) => ({ startId: await newestId(front) }),
    },
    {
      title: 'the events after the last one',
      theirs: '[]',
      call: 'getEvents',
      request: async ({ front }) => ({ startId: (await newestId(front)) + 1 }),
    },
    {
      title: 'where to go on at the end of the log',
      theirs: 'one id later than asked',
      ours: 'the id that was asked for',
      other: null,
      reason:
        'hubble counted on although there was nothing. Here the next id is that of the last event plus one, and stays so.',
      call: 'getEvents',
      run: async ({ front }) => {
        const id = (await newestId(front)) + 1;
        const { body } = await front.http({ path: 'events', query: { from_event_id: id } });
        return body.nextPageEventId === id ? 'the id that was asked for' : String(body.nextPageEventId - id);
      },
    },
    {
      title: 'an account is among all accounts',
      theirs: 'yes',
      call: 'getFids',
      show: ({ fids }, { fid }) => (fids.includes(fid) ? 'yes' : 'no'),
    },
    { title: 'a cast', theirs: 'cast', call: 'getCast', request: ({ fid, cast }) => ({ fid, hash: cast.hash }) },
    {
      title: 'all casts of an account',
      theirs: '[cast, later]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'a page of one',
      theirs: '[cast]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'the page after it',
      theirs: '[later]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
      next: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'the token of the last page is empty',
      theirs: 'empty',
      call: 'getCastsByMention',
      show: ({ nextPageToken = '' }) => (nextPageToken === '' ? 'empty' : nextPageToken),
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'the latest first',
      theirs: '[later, cast]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid, reverse: true }),
    },
    {
      title: 'replies to a cast',
      theirs: '[cast]',
      call: 'getCastsByParent',
      request: ({ parent }) => ({ parentCastId: parent }),
    },
    {
      title: 'replies to a URL',
      theirs: '[later]',
      call: 'getCastsByParent',
      request: () => ({ parentUrl: PARENT }),
    },
    {
      title: 'a cast by the first account that it mentions',
      theirs: '[cast]',
      call: 'getCastsByMention',
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'a cast by the second account that it mentions',
      theirs: '[cast]',
      call: 'getCastsByMention',
      request: ({ carol }) => ({ fid: carol }),
    },
    {
      title: 'a reaction',
      theirs: 'reaction',
      call: 'getReaction',
      request: ({ fid, cast }) => ({ fid, reactionType: LIKE, targetCastId: { fid, hash: cast.hash } }),
    },
    {
      title: 'a reaction whose type is a name',
      theirs: 'reaction',
      other: null,
      call: 'getReaction',
      run: async ({ front, fid, cast }) => {
        const target_hash = `0x${Buffer.from(cast.hash).toString('hex')}`;
        const query = { fid, target_fid: fid, target_hash, reaction_type: 'REACTION_TYPE_LIKE' };
        return front.labels.json((await front.http({ path: 'reactionById', query })).body);
      },
    },
    {
      title: 'reactions of an account',
      theirs: '[reaction]',
      call: 'getReactionsByFid',
      request: ({ fid }) => ({ fid, reactionType: LIKE }),
    },
    {
      title: 'reactions to a cast',
      theirs: '[reaction]',
      call: 'getReactionsByCast',
      request: ({ fid, cast }) => ({ reactionType: LIKE, targetCastId: { fid, hash: cast.hash } }),
    },
    {
      title: 'reactions to a URL',
      theirs: '[likeOfUrl, recastOfUrl]',
      call: 'getReactionsByTarget',
      request: () => ({ targetUrl: URL }),
    },
    {
      title: 'a page of one',
      theirs: '[likeOfUrl]',
      call: 'getReactionsByTarget',
      request: () => ({ targetUrl: URL, pageSize: 1 }),
    },
    {
      title: 'the page after it',
      theirs: '[recastOfUrl]',
      call: 'getReactionsByTarget',
      request: () => ({ targetUrl: URL, pageSize: 1 }),
      next: () => ({ targetUrl: URL }),
    },
    {
      title: 'the latest first',
      theirs: '[recastOfUrl, likeOfUrl]',
      call: 'getReactionsByTarget',
      request: () => ({ targetUrl: URL, reverse: true }),
    },
    {
      title: 'a link',
      theirs: 'follow',
      call: 'getLink',
      request: ({ fid, bob }) => ({ fid, targetFid: bob, linkType: 'follow' }),
    },
    { title: 'links of an account', theirs: '[follow]', call: 'getLinksByFid', request: ({ fid }) => ({ fid }) },
    {
      title: 'links to an account, no type given',
      theirs: '[follow]',
      other: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: 'Over gRPC snapchain requires the type, and so it is here.',
      call: 'getLinksByTarget',
      request: ({ bob }) => ({ targetFid: bob }),
    },
    {
      title: 'all user data',
      theirs: '[picture, bio]',
      call: 'getUserDataByFid',
      request: ({ fid }) => ({ fid }),
    },
    { title: 'a picture', theirs: 'picture', call: 'getUserData', request: ({ fid }) => ({ fid, userDataType: PFP }) },
    { title: 'a bio', theirs: 'bio', call: 'getUserData', request: ({ fid }) => ({ fid, userDataType: BIO }) },
    {
      title: 'limits of storage',
      theirs: 'some',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => (showStores(body) === '' ? 'none' : 'some'),
      request: ({ fid }) => ({ fid }),
    },
  ],
});
