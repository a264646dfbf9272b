import {
  CastType,
  type FrameActionBody,
  MessageData,
  MessageType,
  Protocol,
  ReactionType,
  StorageUnitType,
  UserDataType,
  UserNameType,
} from '@farcaster/core';
import { describe, expect, it } from 'vitest';
import { bodyData, castData, NOW, NOW_SECONDS, sign, signBytes } from '../../../test/support/signed-message.js';
import { type VerifyOptions, verifyWire } from '../verify/verify.js';

const verify = (wire: Uint8Array, options: Partial<VerifyOptions> = {}) => verifyWire(wire, { now: NOW, ...options });

/** @returns 'ok' or the reason, which tables of cases compare at a glance */
const reasonOf = (wire: Uint8Array, options: Partial<VerifyOptions> = {}): string => {
  const result = verify(wire, options);
  if (!result.ok) expect(result.detail).not.toBe('');
  return result.ok ? 'ok' : result.reason;
};

const hash = new Uint8Array(20).fill(1);
const castId = { fid: 5, hash };
const text = (length: number): string => 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
const cast = (changes: Partial<NonNullable<MessageData['castAddBody']>>, timestamp = NOW_SECONDS): Uint8Array => {
  const castAddBody = { ...(castData().castAddBody as NonNullable<MessageData['castAddBody']>), ...changes };
  return sign(castData({ castAddBody, timestamp }));
};
const body = (type: MessageType, changes: Partial<MessageData>): Uint8Array => sign(bodyData(type, changes));
const userData = (type: number, value: string): Uint8Array =>
  body(MessageType.USER_DATA_ADD, { userDataBody: { type, value } });
const url = (length: number) => ({ url: 'u'.repeat(length), castId: undefined });

describe('a cast', () => {
  it.each([
    ['320 bytes', { text: text(320) }, 'ok'],
    ['321 bytes', { text: text(321) }, 'bad_text'],
    ['a long cast of 320 bytes', { text: text(320), type: CastType.LONG_CAST }, 'bad_text'],
    ['a long cast of 1024 bytes', { text: text(1024), type: CastType.LONG_CAST }, 'ok'],
    ['a long cast of 1025 bytes', { text: text(1025), type: CastType.LONG_CAST }, 'bad_text'],
    ['a 10K cast of 1024 bytes', { text: text(1024), type: CastType.TEN_K_CAST }, 'bad_text'],
    ['a 10K cast of 10000 bytes', { text: text(10_000), type: CastType.TEN_K_CAST }, 'ok'],
    ['a 10K cast of 10001 bytes', { text: text(10_001), type: CastType.TEN_K_CAST }, 'bad_text'],
    ['an unknown type', { type: 3 as CastType }, 'bad_text'],
    ['nothing', { text: '' }, 'bad_text'],
    ['an embed alone', { text: '', embeds: [url(1)] }, 'ok'],
    ['four embeds', { embeds: [url(1), url(256), { castId, url: undefined }, url(2)] }, 'ok'],
    ['five embeds', { embeds: [url(1), url(1), url(1), url(1), url(1)] }, 'bad_embed'],
    ['an empty embed', { embeds: [{ url: undefined, castId: undefined }] }, 'bad_embed'],
    ['an embed of both kinds', { embeds: [{ url: 'u', castId }] }, 'parse_failure'],
    ['an embedded URL of 257 bytes', { embeds: [url(257)] }, 'bad_url'],
    [
      'an embedded cast with half a hash',
      { embeds: [{ url: undefined, castId: { fid: 5, hash: hash.subarray(10) } }] },
      'bad_target',
    ],
    ['bare URL embeds', { embedsDeprecated: ['https://a.example'] }, 'bad_embed'],
    ['a parent cast', { parentCastId: castId }, 'ok'],
    ['a parent without a fid', { parentCastId: { fid: 0, hash } }, 'bad_target'],
    ['an empty parent URL', { parentUrl: '' }, 'bad_url'],
    ['both parents', { parentUrl: 'u', parentCastId: castId }, 'parse_failure'],
    ['a mention at each end', { mentions: [2, 2], mentionsPositions: [0, 2] }, 'ok'],
    ['a mention outside the text', { mentions: [2], mentionsPositions: [3] }, 'bad_mention'],
    ['mentions in the wrong order', { mentions: [2, 3], mentionsPositions: [1, 0] }, 'bad_mention'],
    ['a mention without a position', { mentions: [2], mentionsPositions: [] }, 'bad_mention'],
    ['a mention of nobody', { mentions: [0], mentionsPositions: [0] }, 'bad_target'],
    ['ten mentions', { mentions: new Array(10).fill(2), mentionsPositions: new Array(10).fill(0) }, 'ok'],
    ['eleven mentions', { mentions: new Array(11).fill(2), mentionsPositions: new Array(11).fill(0) }, 'bad_mention'],
  ])('with %s', (_name, changes, reason) => {
    expect(reasonOf(cast(changes))).toBe(reason);
  });

  it('of before May 2023 may have two bare URL embeds', () => {
    const urls = ['https://a.example', 'https://b.example'];
    expect(reasonOf(cast({ embedsDeprecated: urls }, 73_612_799))).toBe('ok');
    expect(reasonOf(cast({ embedsDeprecated: urls }, 73_612_800))).toBe('bad_embed');
    expect(reasonOf(cast({ embedsDeprecated: [...urls, 'c'] }, 1))).toBe('bad_embed');
    expect(reasonOf(cast({ embedsDeprecated: urls, embeds: [url(1)] }, 1))).toBe('bad_embed');
  });

  it('must be UTF-8', () => {
    const data = Buffer.from(MessageData.encode(castData()).finish());
    data.set([0xff, 0xfe], data.indexOf('gm'));
    expect(verify(signBytes(data))).toEqual({
      ok: false,
      reason: 'parse_failure',
      detail: 'text: the text is not UTF-8',
    });
  });
});

describe('other bodies', () => {
  const address = new Uint8Array(20).fill(2);
  const reaction = (changes: object) => ({
    reactionBody: { type: ReactionType.LIKE, targetCastId: undefined, targetUrl: undefined, ...changes },
  });
  const link = (changes: object) => ({ linkBody: { type: 'follow', targetFid: 7, ...changes } });
  const frame = (changes: Partial<FrameActionBody>) => ({
    frameActionBody: {
      url: Buffer.from('https://frame.example'),
      buttonIndex: 1,
      castId: undefined,
      inputText: new Uint8Array(0),
      state: new Uint8Array(0),
      transactionId: new Uint8Array(0),
      address: new Uint8Array(0),
      ...changes,
    },
  });
  const proof = (changes: object) => ({
    usernameProofBody: {
      timestamp: 1_700_000_000,
      name: Buffer.from('alice.eth'),
      owner: address,
      signature: new Uint8Array(65),
      fid: 1234,
      type: UserNameType.USERNAME_TYPE_ENS_L1,
      ...changes,
    },
  });

  it.each<[string, MessageType, Partial<MessageData>, string]>([
    ['a removed cast', MessageType.CAST_REMOVE, { castRemoveBody: { targetHash: hash } }, 'ok'],
    ['a removed nothing', MessageType.CAST_REMOVE, { castRemoveBody: { targetHash: new Uint8Array(0) } }, 'bad_target'],
    ['a like of a cast', MessageType.REACTION_ADD, reaction({ targetCastId: castId }), 'ok'],
    ['a removed recast of a URL', MessageType.REACTION_REMOVE, reaction({ type: 2, targetUrl: 'u' }), 'ok'],
    ['a reaction of type NONE, which hubs take', MessageType.REACTION_ADD, reaction({ type: 0, targetUrl: 'u' }), 'ok'],
    ['an unknown reaction', MessageType.REACTION_ADD, reaction({ type: 3, targetUrl: 'u' }), 'bad_reaction'],
    ['a reaction to nothing', MessageType.REACTION_ADD, reaction({}), 'bad_target'],
    [
      'a reaction to both',
      MessageType.REACTION_ADD,
      reaction({ targetUrl: 'u', targetCastId: castId }),
      'parse_failure',
    ],
    ['a reaction to an endless URL', MessageType.REACTION_ADD, reaction({ targetUrl: 'u'.repeat(257) }), 'bad_url'],
    ['a follow', MessageType.LINK_ADD, link({}), 'ok'],
    ['a follow dated elsewhere', MessageType.LINK_ADD, link({ displayTimestamp: 5 }), 'ok'],
    ['a link type of 8 bytes', MessageType.LINK_REMOVE, link({ type: '12345678' }), 'ok'],
    ['a link type of 9 bytes', MessageType.LINK_ADD, link({ type: 'ÄÖÜÄx' }), 'bad_link_type'],
    ['a link without a type', MessageType.LINK_ADD, link({ type: '' }), 'bad_link_type'],
    ['a link to nobody', MessageType.LINK_ADD, link({ targetFid: undefined }), 'bad_target'],
    [
      'a compact state',
      MessageType.LINK_COMPACT_STATE,
      { linkCompactStateBody: { type: 'follow', targetFids: [1, 2] } },
      'ok',
    ],
    [
      'an empty compact state',
      MessageType.LINK_COMPACT_STATE,
      { linkCompactStateBody: { type: 'follow', targetFids: [] } },
      'bad_target',
    ],
    [
      'a removed verification',
      MessageType.VERIFICATION_REMOVE,
      { verificationRemoveBody: { address, protocol: Protocol.ETHEREUM } },
      'ok',
    ],
    [
      'a removed Solana verification',
      MessageType.VERIFICATION_REMOVE,
      { verificationRemoveBody: { address, protocol: Protocol.SOLANA } },
      'bad_address',
    ],
    [
      'a verification of an unknown protocol',
      MessageType.VERIFICATION_REMOVE,
      { verificationRemoveBody: { address, protocol: 2 as Protocol } },
      'bad_address',
    ],
    ['a frame action', MessageType.FRAME_ACTION, frame({ castId }), 'ok'],
    ['a frame action without URL', MessageType.FRAME_ACTION, frame({ url: new Uint8Array(0) }), 'bad_frame_action'],
    ['a sixth button', MessageType.FRAME_ACTION, frame({ buttonIndex: 6 }), 'bad_frame_action'],
    ['an endless input', MessageType.FRAME_ACTION, frame({ inputText: new Uint8Array(257) }), 'bad_frame_action'],
    [
      'lent storage',
      MessageType.LEND_STORAGE,
      { lendStorageBody: { toFid: 9, numUnits: 5000, unitType: StorageUnitType.UNIT_TYPE_2025 } },
      'ok',
    ],
    [
      'too much lent storage',
      MessageType.LEND_STORAGE,
      { lendStorageBody: { toFid: 9, numUnits: 5001, unitType: 0 } },
      'bad_storage_lend',
    ],
    [
      'an unknown unit',
      MessageType.LEND_STORAGE,
      { lendStorageBody: { toFid: 9, numUnits: 1, unitType: 3 as StorageUnitType } },
      'bad_storage_lend',
    ],
    ['an ENS name', MessageType.USERNAME_PROOF, proof({}), 'ok'],
    ['a Basename', MessageType.USERNAME_PROOF, proof({ type: 3, name: Buffer.from('alice.base.eth') }), 'ok'],
    [
      'an fname, which never comes as a message',
      MessageType.USERNAME_PROOF,
      proof({ type: 1, name: Buffer.from('alice') }),
      'bad_username',
    ],
    [
      'a Basename as ENS name',
      MessageType.USERNAME_PROOF,
      proof({ name: Buffer.from('alice.base.eth') }),
      'bad_username',
    ],
    ['a name that is not UTF-8', MessageType.USERNAME_PROOF, proof({ name: Buffer.from([0xff]) }), 'bad_username'],
    ['a proof for another account', MessageType.USERNAME_PROOF, proof({ fid: 5 }), 'ok'],
    ['a proof for no account', MessageType.USERNAME_PROOF, proof({ fid: 0 }), 'bad_username'],
  ])('%s', (_name, type, changes, reason) => {
    expect(reasonOf(body(type, changes))).toBe(reason);
  });

  it('let a compact state be large, and nothing else', () => {
    const fids = Array.from({ length: 12_000 }, (_, index) => index + 1_000_000);
    expect(
      reasonOf(body(MessageType.LINK_COMPACT_STATE, { linkCompactStateBody: { type: 'follow', targetFids: fids } })),
    ).toBe('ok');
    expect(reasonOf(body(MessageType.FRAME_ACTION, frame({ state: new Uint8Array(2048) })))).toBe('too_large');
  });

  it('do not allow lending storage with a past date, except in a replay', () => {
    const lend = { lendStorageBody: { toFid: 9, numUnits: 1, unitType: 0 }, timestamp: NOW_SECONDS - 601 };
    expect(reasonOf(body(MessageType.LEND_STORAGE, lend))).toBe('ok');
    expect(reasonOf(body(MessageType.LEND_STORAGE, lend), { isSubmission: true })).toBe('stale_timestamp');
    expect(
      reasonOf(body(MessageType.LEND_STORAGE, { ...lend, timestamp: NOW_SECONDS - 600 }), { isSubmission: true }),
    ).toBe('ok');
  });
});

describe('user data', () => {
  const token = 'eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d/771769';
  it.each([
    [UserDataType.PFP, text(256), 'ok'],
    [UserDataType.PFP, text(257), 'bad_user_data'],
    [UserDataType.DISPLAY, text(32), 'ok'],
    [UserDataType.DISPLAY, text(33), 'bad_user_data'],
    [UserDataType.BIO, text(257), 'bad_user_data'],
    [UserDataType.URL, text(257), 'bad_user_data'],
    [UserDataType.BANNER, text(257), 'bad_user_data'],
    [UserDataType.USERNAME, '', 'ok'],
    [UserDataType.USERNAME, 'alice-1', 'ok'],
    [UserDataType.USERNAME, '-alice', 'bad_username'],
    [UserDataType.USERNAME, 'Alice', 'bad_username'],
    [UserDataType.USERNAME, 'a'.repeat(17), 'bad_username'],
    [UserDataType.USERNAME, 'alice.eth', 'ok'],
    [UserDataType.USERNAME, 'sub.alice.eth', 'bad_username'],
    [UserDataType.USERNAME, `${'a'.repeat(16)}.eth`, 'ok'],
    [UserDataType.USERNAME, 'alice.base.eth', 'ok'],
    [UserDataType.USERNAME, '.base.eth', 'bad_username'],
    [UserDataType.LOCATION, '', 'ok'],
    [UserDataType.LOCATION, 'geo:-90.00,180.00', 'ok'],
    [UserDataType.LOCATION, 'geo:90.01,0.00', 'bad_user_data'],
    [UserDataType.LOCATION, 'geo:0.00,180.01', 'bad_user_data'],
    [UserDataType.LOCATION, 'Paris', 'bad_user_data'],
    [UserDataType.TWITTER, 'alice_1', 'ok'],
    [UserDataType.TWITTER, 'Alice', 'bad_user_data'],
    [UserDataType.GITHUB, 'Alice-1', 'ok'],
    [UserDataType.GITHUB, 'a--b', 'bad_user_data'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, '', 'ok'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d', 'ok'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, '0x06012c8cf97bead5deae237070f9587f8e7a266d', 'bad_address'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, '11111111111111111111111111111111', 'ok'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, '1111', 'bad_address'],
    [UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, '0OIl', 'bad_address'],
    [UserDataType.PROFILE_TOKEN, token, 'ok'],
    [UserDataType.PROFILE_TOKEN, 'a punk', 'bad_user_data'],
    [14, 'https://live.example', 'ok'],
    [0, 'x', 'bad_user_data'],
    [4, 'x', 'bad_user_data'],
    [15, 'x', 'bad_user_data'],
  ])('%i %s: %s', (type, value, reason) => {
    expect(reasonOf(userData(type, value))).toBe(reason);
  });
});
