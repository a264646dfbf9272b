import { describe, expect, test } from 'vitest';
import { contractAvailable, validateAgainstContract } from './contract.js';

const cast = {
  hash: `0x${'ab'.repeat(20)}`,
  hashScheme: 'HASH_SCHEME_BLAKE3',
  signature: 'AAAA',
  signatureScheme: 'SIGNATURE_SCHEME_ED25519',
  signer: '0xabcd',
  data: {
    type: 'MESSAGE_TYPE_CAST_ADD',
    fid: 1,
    timestamp: 100,
    network: 'SOCIAL_NETWORK_MAINNET',
    castAddBody: { embedsDeprecated: [], mentions: [2], text: ' hi', mentionsPositions: [0], embeds: [] },
  },
};
const hubError = {
  errCode: 'bad_request',
  presentable: false,
  name: 'HubError',
  code: 3,
  details: 'fid is missing',
  metadata: { errcode: ['bad_request'] },
};

describe.runIf(contractAvailable)('answers held against the contract', () => {
  test('one that fits has no differences', () => {
    expect(validateAgainstContract('hub-fetch-users-casts', 200, { messages: [cast], nextPageToken: '' })).toEqual([]);
    expect(validateAgainstContract('hub-fetch-users-casts', 400, hubError)).toEqual([]);
    expect(validateAgainstContract('fetch-bulk-users', 200, { users: [] })).toEqual([]);
  });

  test('one message and a page are both answers of userDataByFid', () => {
    const page = { messages: [], nextPageToken: '' };
    expect(validateAgainstContract('hub-fetch-user-data', 200, page)).toEqual([]);
    expect(validateAgainstContract('hub-fetch-user-data', 200, { messages: [] })).not.toEqual([]);
  });

  test('embeds that match both branches of a oneOf are taken', () => {
    const embed = { url: 'https://example.com/', castId: { fid: 1, hash: cast.hash } };
    const both = { ...cast, data: { ...cast.data, castAddBody: { ...cast.data.castAddBody, embeds: [embed] } } };
    expect(validateAgainstContract('hub-lookup-cast-by-hash-and-fid', 200, both)).toEqual([]);
  });

  test('each difference is named with its place', () => {
    const bad = { ...cast, hash: 'ab', data: { ...cast.data, fid: -1 } };
    const lines = validateAgainstContract('hub-lookup-cast-by-hash-and-fid', 200, bad);
    expect(lines.some((line) => line.startsWith('/hash must match pattern'))).toBe(true);
    expect(lines.some((line) => line.startsWith('/data/fid must match format "uint64"'))).toBe(true);
    expect(validateAgainstContract('fetch-bulk-users', 200, { users: [{ object: 'user' }] })).toContain(
      "/users/0 must have required property 'fid'",
    );
  });

  test('statuses of the shared layers have the body of their family, others must be listed', () => {
    expect(validateAgainstContract('fetch-bulk-users', 429, { message: 'slow down' })).toEqual([]);
    expect(validateAgainstContract('fetch-bulk-users', 429, {})).not.toEqual([]);
    expect(validateAgainstContract('fetch-bulk-users', 418, {})).toEqual([
      'status 418 is not listed for fetch-bulk-users',
    ]);
    expect(validateAgainstContract('no-such', 200, {})).toEqual(['the contract has no operation no-such']);
  });
});
