import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MasterKey } from '../src/config/secret.js';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = new TestWorkspace();
const ADDRESS = '0x00000000000000000000000000000000000000fe';
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';

beforeAll(async () => {
  await buildProgram();
  await work.writeSample('small.ndjson', { accounts: 4, casts: 8, reactions: 8, follows: 6 });
});
afterAll(() => work.clear());

describe('signer commands', () => {
  let store: Record<string, string>;
  let service: Service;
  let uuid: string;
  let masterKey = MasterKey.generate();

  const start = async (changes: Record<string, string> = {}) => {
    service = await work.startDev({ ...store, CASTELLAN_MASTER_KEY: masterKey, ...changes });
  };
  const stop = async () => {
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  };
  const run = (...args: string[]) => castellan(args, { ...store, CASTELLAN_MASTER_KEY: masterKey }, work.folder);
  const send = async (method: string, path: string, body?: object) => {
    const key = readFileSync(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
    const response = await fetch(`http://127.0.0.1:${service.environment.PORT}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads members of whatever came
    return { status: response.status, body: (await response.json()) as any };
  };
  const look = async (id = uuid) => (await send('GET', `/v2/social/signer/?signer_uuid=${id}`)).body;
  const make = async () => (await send('POST', '/v2/social/signer/')).body.signer_uuid as string;

  beforeAll(async () => {
    store = await work.newStore();
    await start();
    expect((await run('import', 'small.ndjson')).code).toBe(0);
    uuid = await make();
  });

  /** Beside a database server the command is a process of its own: the service hears of it within a second. */
  const authAddresses = async () => (await send('GET', '/v2/social/user/bulk/?fids=2')).body.users[0].auth_addresses;

  it('take a signer from its creation to its first cast, without a wallet', async () => {
    const approved = await run('signer', 'approve', uuid, '--fid', '1');
    expect(approved).toMatchObject({ code: 0, out: `Signer ${uuid} is approved for account 1.\n` });
    expect((await run('signer', 'list')).out).toMatch(new RegExp(`^${uuid} .*approved +1 +WRITE_ALL`, 'm'));
    const address = await run('auth-address', 'approve', ADDRESS, '--fid', '2');
    expect(address).toMatchObject({ code: 0, out: `${ADDRESS} is an auth address of account 2.\n` });
    expect(await look()).toMatchObject({ status: 'approved', fid: 1 });
    const cast = await send('POST', '/v2/social/cast/', { signer_uuid: uuid, text: 'Hello from nowhere' });
    expect(cast.status).toBe(200);
    const { hash } = cast.body.cast;
    const read = await send('GET', `/v2/social/cast/?identifier=${hash}&type=hash`);
    // Nobody asked for the key, so an app of the sample network did.
    expect(read.body.cast).toMatchObject({
      text: 'Hello from nowhere',
      author: { fid: 1 },
      app: { fid: 2, username: 'lantern' },
    });
    await expect.poll(authAddresses).toMatchObject([{ address: ADDRESS }]);
  });

  it('restrict its permissions, and revoke it', async () => {
    const narrowed = await run('signer', 'permit', uuid, '--permission', 'DELETE_CAST', '--permission', 'FOLLOW_USER');
    expect(narrowed).toMatchObject({ code: 0, out: `Signer ${uuid} may: DELETE_CAST, FOLLOW_USER.\n` });
    expect(await look()).toMatchObject({ permissions: ['DELETE_CAST', 'FOLLOW_USER'] });
    expect((await send('POST', '/v2/social/cast/', { signer_uuid: uuid, text: 'more' })).status).toBe(403);
    expect((await run('signer', 'revoke', uuid)).out).toContain('it was of account 1');
    const address = await run('auth-address', 'revoke', ADDRESS);
    expect(address).toMatchObject({ code: 0, out: `${ADDRESS} is revoked; it was an auth address of account 2.\n` });
    expect(await look()).toMatchObject({ status: 'revoked', fid: 1 });
    await expect.poll(authAddresses).toEqual([]);
  });

  it('report errors', async () => {
    const fresh = await make();
    expect((await run('signer', 'list')).out).toMatch(new RegExp(`^${fresh} .*generated +- +WRITE_ALL`, 'm'));
    const refused: [string, string[]][] = [
      ['no account 4000', ['signer', 'approve', fresh, '--fid', '4000']],
      ['There is no signer', ['signer', 'approve', UNKNOWN, '--fid', '1']],
      ['revoked and stays so', ['signer', 'approve', uuid, '--fid', '1']],
      ['is of no account', ['signer', 'revoke', uuid]],
      ['was, until it was removed, an auth address of account 2', ['auth-address', 'approve', ADDRESS, '--fid', '1']],
      ['is an auth address of no account', ['auth-address', 'revoke', ADDRESS]],
    ];
    for (const [text, args] of refused) {
      expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(text) });
    }
    await run('signer', 'approve', fresh, '--fid', '1');
    expect((await run('signer', 'approve', fresh, '--fid', '2')).err).toContain('approved already, for account 1');
    await run('signer', 'revoke', fresh);
    const unclear = [
      ['signer', 'approve', 'me', '--fid', '1'],
      ['signer', 'permit', uuid, '--permission', 'FLY'],
      ['auth-address', 'approve', '0x12', '--fid', '1'],
      ['auth-address', 'approve', ADDRESS, '--fid', '0'],
      ['auth-address', 'approve', ADDRESS, '--fid', 'me'],
      ['auth-address', 'approve', ADDRESS],
      ['auth-address', 'revoke', '0x12'],
    ];
    for (const args of unclear) expect((await run(...args)).code, args.join(' ')).toBe(2);
  });

  it('leave approvals to the network if a hub is followed', async () => {
    await stop();
    const environment = { ...store, CASTELLAN_MASTER_KEY: masterKey, CASTELLAN_HUB_URL: '127.0.0.1:1' };
    for (const args of [
      ['signer', 'approve', uuid, '--fid', '1'],
      ['signer', 'revoke', uuid],
      ['auth-address', 'approve', ADDRESS, '--fid', '1'],
    ]) {
      const { code, err } = await castellan(args, environment, work.folder);
      expect([code, err]).toEqual([1, expect.stringContaining('CASTELLAN_HUB_URL is set')]);
    }
    await start();
  });

  it('change the master key: a service with only the new one starts when everything is re-encrypted', async () => {
    const second = await make();
    // Three that were made here, and the signer of the examples, which the service made at its second start.
    const sealed = 4;
    const old = masterKey;
    masterKey = MasterKey.generate();
    await stop();
    const early = await castellan(['dev', '--no-sample'], {
      ...store,
      CASTELLAN_MASTER_KEY: masterKey,
      CASTELLAN_METRICS_PORT: 'off',
    });
    expect([early.code, early.err]).toEqual([2, expect.stringContaining('CASTELLAN_MASTER_KEY_PREVIOUS')]);
    const refused = await run('secret', 'rotate');
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringContaining(`${sealed} stored secrets are under a key`),
    ]);
    const both = { CASTELLAN_MASTER_KEY_PREVIOUS: old };
    await start(both);
    const rotate = () => castellan(['secret', 'rotate'], { ...store, CASTELLAN_MASTER_KEY: masterKey, ...both });
    const rotated = await rotate();
    expect([rotated.code, rotated.out]).toEqual([0, `${sealed} secrets are sealed under the new key.\n`]);
    expect(rotated.err).toContain('CASTELLAN_MASTER_KEY_PREVIOUS may go');
    expect((await rotate()).out).toBe('0 secrets are sealed under the new key.\n');
    await stop();
    await start();
    expect((await run('signer', 'approve', second, '--fid', '1')).code).toBe(0);
    const cast = await send('POST', '/v2/social/cast/', { signer_uuid: second, text: 'Under the new key' });
    expect(cast.status).toBe(200);
    expect((await run('doctor')).out).toContain('open with the master key');
    await stop();
  });
});
