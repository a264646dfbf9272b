import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileItems } from '../src/ingest/file/read.js';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { type Network, startNetwork } from './support/network.js';

const FILE = fileURLToPath(new URL('../../shared/data/mainnet-2024-04.ndjson', import.meta.url));

interface HubJson {
  readonly hash: string;
  readonly signature: string;
  readonly signer: string;
  readonly dataBytes?: string;
  readonly data: {
    readonly type: string;
    readonly fid: number;
    readonly network: string;
    readonly castAddBody?: unknown;
  };
}

describe.runIf(existsSync(FILE))('real messages of the public network', () => {
  let network: Network;
  let lines: HubJson[];

  beforeAll(async () => {
    lines = (await readFile(FILE, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    network = await startNetwork({ CASTELLAN_HUB_NETWORK: 'mainnet' });
  });
  afterAll(() => network.stop());

  const count = (type: string, fid?: number): number =>
    lines.filter(({ data }) => data.type === type && (fid === undefined || data.fid === fid)).length;

  test('all of them import with trusted signers, once', async () => {
    const items: IngestItem[] = [];
    for await (const read of readFileItems(FILE)) if (read.ok) items.push(read.item);
    expect(items).toHaveLength(651);
    const { ingest } = network.app.core;
    const refused = await ingest.submit(items, { source: 'file', announce: false });
    expect(refused.invalid).toEqual({ unknown_signer: 651 });
    const first = await ingest.submit(items, { source: 'file', announce: false, trustSigners: true });
    expect(first).toMatchObject({ merged: 651, superseded: 0, invalid: {} });
    const again = await ingest.submit(items, { source: 'file', announce: false, trustSigners: true });
    expect(again).toMatchObject({ merged: 0, known: 651 });
    expect(await audit(network.app.core.db)).toEqual([]);
  });

  test('the counts of each account are those of the file', async () => {
    const rows = await network.app.core.db.run<{ fid: number; type: number; n: number }>(
      'select fid, type, count(*) as n from message group by fid, type',
    );
    const stored = (type: number, fid: number) => rows.find((row) => row.fid === fid && row.type === type)?.n ?? 0;
    for (const fid of new Set(lines.map(({ data }) => data.fid))) {
      expect([fid, stored(1, fid), stored(2, fid), stored(11, fid)]).toEqual([
        fid,
        count('MESSAGE_TYPE_CAST_ADD', fid),
        count('MESSAGE_TYPE_CAST_REMOVE', fid),
        count('MESSAGE_TYPE_USER_DATA_ADD', fid),
      ]);
    }
    expect([
      count('MESSAGE_TYPE_CAST_ADD'),
      count('MESSAGE_TYPE_CAST_REMOVE'),
      count('MESSAGE_TYPE_USER_DATA_ADD'),
    ]).toEqual([549, 62, 40]);
  });

  test('castsByFid returns them as in the file, page by page', async () => {
    for (const fid of new Set(lines.map(({ data }) => data.fid))) {
      const expected = new Map(
        lines
          .filter(({ data }) => data.fid === fid && data.type === 'MESSAGE_TYPE_CAST_ADD')
          .map((line) => [line.hash, line]),
      );
      const seen: HubJson[] = [];
      let token = '';
      do {
        const { status, body } = await network.get(
          `/v1/castsByFid?fid=${fid}&pageSize=20&pageToken=${encodeURIComponent(token)}`,
        );
        expect(status).toBe(200);
        seen.push(...body.messages);
        token = body.nextPageToken;
      } while (token !== '');
      expect(seen).toHaveLength(expected.size);
      for (const message of seen) {
        const line = expected.get(message.hash) as HubJson;
        expect(message.signature).toBe(line.signature);
        expect(message.signer).toBe(line.signer);
        expect(message.dataBytes).toBe(line.dataBytes);
        expect(message.data.network).toBe('SOCIAL_NETWORK_MAINNET');
        expect(message.data.castAddBody).toMatchObject(line.data.castAddBody as object);
      }
    }
  });
});
