import { existsSync, readFileSync } from 'node:fs';
import { FarcasterNetwork } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageFromJson } from '../src/protocol/hub-json/message-read.js';
import { createVerifyPool } from '../src/protocol/verify/pool.js';
import { type Shell, startShell } from './support/http-shell.js';
import { openTestIngest } from './support/ingest.js';

const file = new URL('../../shared/data/mainnet-2024-04.ndjson', import.meta.url);

interface HubMessage {
  readonly hash: string;
  readonly signature: string;
  readonly dataBytes?: string;
  readonly data: { readonly type: string; readonly fid: number; readonly castAddBody?: object };
}

/** Real messages of the public network, which are not part of the project. */
describe.runIf(existsSync(file))('messages of the public network', () => {
  const written: HubMessage[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  const ofType = (type: string) => written.filter((message) => message.data.type === type);
  let shell: Shell;
  let key: string;

  beforeAll(async () => {
    shell = await startShell();
    key = await shell.key();
    const network = FarcasterNetwork.MAINNET;
    const { verify } = createVerifyPool({ threads: 0, network });
    const ingest = openTestIngest(shell.db, { network, verify: (wires) => verify(wires) });
    const items = written.map((message) => ({ kind: 'message' as const, wire: messageFromJson(message) }));
    const report = await ingest.submit(items, { source: 'file', announce: false, trustSigners: true });
    expect(report).toMatchObject({ merged: written.length, invalid: {} });
  });
  afterAll(() => shell?.stop());

  const list = async (path: string): Promise<HubMessage[]> => {
    const messages: HubMessage[] = [];
    let token = '';
    do {
      const url = `${path}&pageSize=40&pageToken=${encodeURIComponent(token)}`;
      const body = (await shell.server.fastify.inject({ url, headers: { 'x-api-key': key } })).json();
      messages.push(...body.messages);
      token = body.nextPageToken;
    } while (token !== '');
    return messages;
  };

  test('castsByFid returns each cast with its original hash, signature and body', async () => {
    const casts = ofType('MESSAGE_TYPE_CAST_ADD');
    let answered = 0;
    for (const fid of new Set(casts.map((message) => message.data.fid))) {
      const wanted = new Map(casts.filter(({ data }) => data.fid === fid).map((message) => [message.hash, message]));
      const found = await list(`/v1/castsByFid?fid=${fid}`);
      expect(found.length).toBe(wanted.size);
      for (const message of found) {
        const original = wanted.get(message.hash);
        expect(message.data.castAddBody).toEqual(original?.data.castAddBody);
        expect(message.signature).toBe(original?.signature);
        expect(message.dataBytes).toBe(original?.dataBytes);
      }
      answered += found.length;
    }
    expect(answered).toBe(casts.length);
  });

  test('userDataByFid returns the profile entries', async () => {
    const entries = ofType('MESSAGE_TYPE_USER_DATA_ADD');
    const fids = [...new Set(entries.map((message) => message.data.fid))];
    const found = (await Promise.all(fids.map((fid) => list(`/v1/userDataByFid?fid=${fid}`)))).flat();
    expect(found.map((message) => message.hash).sort()).toEqual(entries.map((message) => message.hash).sort());
  });
});
