import { FarcasterNetwork, MessageType } from '@farcaster/core';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import { signed } from '../../src/sample/signed-message.js';
import { cases, type Front, SEED } from './front.js';
import type { Surface } from './peer-case.js';

/** @returns an action in a frame, signed by the first key of an account */
export const frameAction = (front: Front, fid: number) => {
  const frameActionBody = {
    url: Buffer.from('https://frame.example/start'),
    buttonIndex: 1,
    castId: { fid, hash: new Uint8Array(20).fill(3) },
    inputText: new Uint8Array(),
    state: new Uint8Array(),
    transactionId: new Uint8Array(),
    address: new Uint8Array(),
  };
  const data = { type: MessageType.FRAME_ACTION, fid, network: FarcasterNetwork.DEVNET, frameActionBody };
  return signed({ ...data, timestamp: front.clock.tick() }, signerKey(derive(SEED, 'signer', fid, 0)));
};

export const basic = (password: string): string => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

const showValidity = ({ valid }: { valid: boolean }): string => (valid ? 'valid' : 'not valid');
const BY_ITSELF =
  'A message is validated by itself, as in snapchain; accounts, keys and storage are checked when it is submitted.';

export const HUBBLE_SUBMIT = cases({
  peer: 'hubble',
  file: 'messageService.test.ts',
  id: 'hubble-submit',
  over: 'grpc',
  state: async (front) => ({ front, alice: await front.account('alice'), stranger: front.stranger() }),
  rows: [
    {
      title: 'a cast is answered as it was sent',
      theirs: 'cast',
      call: 'submitMessage',
      request: ({ front, alice }) => front.name({ cast: alice.cast({ text: 'gm' }) }).cast,
    },
    {
      title: 'a cast that was submitted is found',
      theirs: 'submitted',
      call: 'getCast',
      request: async ({ front, alice }, surface) => {
        const { submitted } = front.name({ submitted: alice.cast({ text: `by ${surface}` }) });
        await front.ask({ name: 'submitMessage', request: submitted }, surface);
        return { fid: submitted.fid, hash: submitted.hash };
      },
    },
    {
      title: 'a cast that was removed before it came',
      theirs: 'INVALID_ARGUMENT bad_request.conflict',
      call: 'submitMessage',
      request: async ({ front, alice }) => {
        const cast = alice.cast({ text: 'removed before' });
        await front.store(alice.removeCast(cast.hash));
        return cast;
      },
    },
    {
      title: 'an action in a frame is not stored',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      call: 'submitMessage',
      request: ({ front, alice }) => frameAction(front, alice.fid),
    },
    {
      title: 'a message of an account that is not registered',
      theirs: 'UNKNOWN bad_request.unknown_fid',
      ours: 'INVALID_ARGUMENT bad_request.unknown_fid',
      reason: 'The same code; hubble had no status for it, snapchain answers INVALID_ARGUMENT.',
      call: 'submitMessage',
      request: ({ stranger }) => stranger.cast({ text: 'gm' }),
    },
    {
      title: 'a cast that may be stored is valid',
      theirs: 'valid',
      call: 'validateMessage',
      show: showValidity,
      request: ({ alice }) => alice.cast({ text: 'to be checked' }),
    },
    {
      title: 'an action in a frame is valid',
      theirs: 'valid',
      call: 'validateMessage',
      show: showValidity,
      request: ({ front, alice }) => frameAction(front, alice.fid),
    },
    {
      title: 'a cast of an account that is not registered',
      theirs: 'UNKNOWN bad_request.unknown_fid',
      ours: 'valid',
      reason: BY_ITSELF,
      call: 'validateMessage',
      show: showValidity,
      request: ({ stranger }) => stranger.cast({ text: 'gm' }),
    },
    {
      title: 'an action in a frame of an account that is not registered',
      theirs: 'UNKNOWN bad_request.unknown_fid',
      ours: 'valid',
      reason: BY_ITSELF,
      call: 'validateMessage',
      show: showValidity,
      request: ({ front, stranger }) => frameAction(front, stranger.fid),
    },
  ],
});

const OTHER_STATUS = 'The status of snapchain, UNAUTHENTICATED; PERMISSION_DENIED says that a key lacks a scope.';

export const HUBBLE_AUTH = cases({
  peer: 'hubble',
  file: 'rpcAuth.test.ts',
  id: 'hubble-auth',
  over: 'grpc',
  state: async (front) => ({ front, alice: await front.account('alice'), key: front.network.apiKey }),
  rows: [
    {
      title: 'no password',
      theirs: 'PERMISSION_DENIED',
      ours: 'UNAUTHENTICATED',
      reason: OTHER_STATUS,
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '' }),
      request: ({ alice }) => alice.cast({ text: 'no password' }),
    },
    {
      title: 'a wrong password',
      theirs: 'PERMISSION_DENIED',
      ours: 'UNAUTHENTICATED',
      reason: OTHER_STATUS,
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '', authorization: basic('wrong') }),
      request: ({ alice }) => alice.cast({ text: 'a wrong password' }),
    },
    {
      title: 'a wrong user with the right password',
      theirs: 'PERMISSION_DENIED',
      ours: 'named',
      reason: 'The password is an API key, which says who calls; the user is not looked at.',
      call: 'submitMessage',
      headers: ({ key }) => ({
        'x-api-key': '',
        authorization: `Basic ${Buffer.from(`wronguser:${key}`).toString('base64')}`,
      }),
      request: ({ front, alice }) => front.name({ named: alice.cast({ text: 'a wrong user' }) }).named,
    },
    {
      title: 'the right password',
      theirs: 'cast',
      call: 'submitMessage',
      headers: ({ key }) => ({ 'x-api-key': '', authorization: basic(key) }),
      request: ({ front, alice }) => front.name({ cast: alice.cast({ text: 'the right password' }) }).cast,
    },
    {
      title: 'a call that does not submit needs no password',
      theirs: 'answered',
      call: 'getInfo',
      headers: () => ({ 'x-api-key': '' }),
      show: () => 'answered',
    },
    {
      title: 'a submission without a password, after one with it',
      theirs: 'PERMISSION_DENIED',
      ours: 'UNAUTHENTICATED',
      reason: OTHER_STATUS,
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '' }),
      request: ({ alice }) => alice.cast({ text: 'no password again' }),
    },
    {
      title: 'a submission with the password, after one without it',
      theirs: 'cast',
      call: 'submitMessage',
      headers: ({ key }) => ({ 'x-api-key': '', authorization: basic(key) }),
      request: ({ front, alice }) => front.name({ cast: alice.cast({ text: 'the password again' }) }).cast,
    },
  ],
});

/** Submits all messages at the same time, several times over. @returns whether each was answered, whatever the answer */
const submitAll = async (front: Front, messages: readonly { wire: Uint8Array }[], surface: Surface) => {
  const all = [1, 2, 3].flatMap(() => messages);
  await Promise.all(all.map((request) => front.ask({ name: 'submitMessage', request, show: () => 'stored' }, surface)));
};

export const HUBBLE_CONCURRENCY = cases({
  peer: 'hubble',
  file: 'concurrency.test.ts',
  id: 'hubble-concurrency',
  over: 'grpc',
  state: async (front) => ({ front }),
  rows: [
    {
      title: 'likes of two keys and a removal, several times at once: the removal stands',
      theirs: '1 message: removal',
      call: 'submitMessage',
      run: async ({ front }, surface) => {
        const alice = await front.account();
        const second = alice.withKey(1);
        await front.store(await second.addSigner());
        const target = { fid: alice.fid, hash: new Uint8Array(20).fill(6) };
        const [like, other] = [alice.react('like', target), second.react('like', target)];
        const { removal } = front.name({ removal: second.unreact('like', target) });
        await submitAll(front, [like, other, removal], surface);
        const rest = await front.ask({ name: 'getAllReactionMessagesByFid', request: { fid: alice.fid } }, 'grpc');
        return rest === '[removal]' ? '1 message: removal' : rest;
      },
    },
    {
      title: 'casts of two keys and the removal of one, several times at once: the other cast and the removal stand',
      theirs: '[other, removal]',
      call: 'submitMessage',
      run: async ({ front }, surface) => {
        const alice = await front.account();
        const second = alice.withKey(1);
        await front.store(await second.addSigner());
        const cast = alice.cast({ text: 'one' });
        const named = front.name({ other: second.cast({ text: 'two' }), removal: alice.removeCast(cast.hash) });
        await submitAll(front, [cast, named.other, named.removal], surface);
        return front.ask({ name: 'getAllCastMessagesByFid', request: { fid: alice.fid } }, 'grpc');
      },
    },
  ],
});
