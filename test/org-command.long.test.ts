import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = new TestWorkspace();
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const ID = /^[0-9a-f-]{36}\n/;

beforeAll(buildProgram);
afterAll(() => work.clear());

describe('org commands beside a service', () => {
  let store: Record<string, string>;
  let service: Service;
  let id = '';

  const run = (...args: string[]) => castellan(args, store, work.folder);
  const row = async () => (await run('org', 'list')).out.split('\n').find((line) => line.startsWith(id)) ?? '';

  beforeAll(async () => {
    // The default plan that a service for others has, in development too.
    store = { ...(await work.migratedStore()), CASTELLAN_DEFAULT_PLAN: 'free' };
    service = await work.startDev(store);
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
  });

  it('make an organization, an app of it and a key, which reads its record', async () => {
    const made = await run('org', 'create', 'Acme', '--email', 'bills@acme.example', '--plan', 'Growth');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(ID) });
    expect(made.err).toContain('It has the plan Growth now: $49.00 charged, $0.00 taken off.');
    id = made.out.trim();
    const app = await run('app', 'create', 'its app', '--organization', id);
    expect(app).toMatchObject({ code: 0, out: expect.stringMatching(ID) });
    const key = await run('key', 'create', 'its key', '--app', app.out.trim(), '--scope', 'portal');
    const answer = await service.get('/portal/organization/billing', key.out.trim());
    expect(await answer.json()).toMatchObject({
      auth_provider_organization_id: id,
      organization_name: 'Acme',
      billing_email: 'bills@acme.example',
      effective_plan: 'growth',
      subscription_status: 'active',
    });
    expect((await run('app', 'list')).out).toMatch(new RegExp(`^${app.out.trim()}  its app +Acme +- +-$`, 'm'));
  });

  it('list them with their plan and what they used of it', async () => {
    expect(await row()).toMatch(/ Acme +active +growth +0 of 150,000,000 +\d{4}-\d{2}-\d{2}$/);
  });

  it('change a plan: cheaper when the period ends, dearer at once, and at once for nothing with --grant', async () => {
    const down = await run('org', 'plan', id, 'starter');
    expect(down).toMatchObject({ code: 0, out: '', err: expect.stringContaining('when the running period ends') });
    expect(await row()).toMatch(/ growth, starter from \d{4}-\d{2}-\d{2} /);
    const up = await run('org', 'plan', id.toUpperCase(), 'SCALE');
    expect(up).toMatchObject({ code: 0, err: expect.stringMatching(/\$200\.00 charged, \$49\.00 taken off/) });
    const granted = await run('org', 'plan', id, 'enterprise', '--grant');
    expect(granted).toMatchObject({ code: 0, err: expect.stringContaining('Nothing is charged') });
    expect(await row()).toMatch(/ enterprise +0 of unlimited /);
    const again = await run('org', 'plan', id, 'enterprise', '--grant');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('has the plan Enterprise already') });
  });

  it('switch an organization off, and tell all that was changed, newest first', async () => {
    const set = await run('org', 'set', id, '--status', 'inactive', '--name', 'Acme 2', '--email', 'none');
    expect(set).toMatchObject({ code: 0, out: '' });
    expect(await row()).toMatch(/ Acme 2 +inactive /);
    const log = await run('org', 'log', id);
    expect(log.code).toBe(0);
    const lines = log.out.trimEnd().split('\n').slice(2);
    const actions = lines.map((line) => line.split(/ {2,}/)[1]);
    expect(actions.filter((action) => action !== 'plan.upgraded')).toEqual([
      'organization.changed',
      'plan.granted',
      'plan.downgrade_arranged',
      'key.made',
      'app.made',
      'organization.made',
    ]);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}organization\.changed +operator +- +.*status=inactive/);
    expect((await run('org', 'log', id, '--limit', '1')).out.trimEnd().split('\n')).toHaveLength(3);
  });

  it('refuse what cannot be meant', async () => {
    const wrong: [string[], number, string][] = [
      [['org', 'create', ' '], 2, 'A name has 1 to 100 characters'],
      [['org', 'create', 'x', '--email', 'nobody'], 2, '--email takes an address'],
      [['org', 'create', 'x', '--grant'], 2, '--grant goes with --plan'],
      [['org', 'create', 'x', '--plan', 'gold'], 2, 'the plans are free, starter, growth, scale, enterprise'],
      [['org', 'plan', 'acme', 'growth'], 2, 'castellan org list'],
      [['org', 'plan', UNKNOWN, 'growth'], 1, `There is no organization ${UNKNOWN}`],
      [['org', 'plan', UNKNOWN, 'growth', '--grant'], 1, `There is no organization ${UNKNOWN}`],
      [['org', 'set', id], 2, 'Say what to change'],
      [['org', 'set', id, '--status', 'asleep'], 2, 'active or inactive'],
      [['org', 'set', UNKNOWN, '--name', 'x'], 1, `There is no organization ${UNKNOWN}`],
      [['org', 'log', UNKNOWN], 1, `There is no organization ${UNKNOWN}`],
      [['org', 'log', id, '--limit', '0'], 2, '--limit takes a whole number'],
      [['app', 'create', 'x', '--organization', UNKNOWN], 1, `There is no organization ${UNKNOWN}`],
    ];
    const before = (await run('org', 'list')).out;
    for (const [args, code, text] of wrong) {
      const refused = await run(...args);
      expect([args, refused.code, refused.out]).toEqual([args, code, '']);
      expect(refused.err).toContain(text);
    }
    expect((await run('org', 'list')).out).toBe(before);
  });
});
