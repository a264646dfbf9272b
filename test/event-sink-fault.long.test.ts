import { DiscardPolicy } from '@nats-io/jetstream';
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
} from '@nats-io/jwt';
import { credsAuthenticator } from '@nats-io/transport-node';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../src/log.js';
import { makeAuthority, makeCertificate } from './support/certificate.js';
import { runCommandIn } from './support/command.js';
import {
  bodies,
  idsOf,
  makeNats,
  metric,
  running,
  sentIds,
  settle,
  skipped,
  startService,
  stopAll,
} from './support/event-sink.js';
import { runJob } from './support/job.js';
import { hasNats } from './support/nats-path.js';

const DAY_MS = 86_400_000;

describe.runIf(hasNats)('a broker', () => {
  afterEach(stopAll);

  test('that is away at the start gets everything later, and the service is ready meanwhile', async () => {
    let ahead = 0;
    const server = await makeNats();
    const service = await startService(server.url, {}, undefined, { clock: () => Date.now() + ahead });
    const { network } = service;
    const health = (path: string) => network.get(`/health/${path}`);
    await expect.poll(() => metric(network, 'castellan_event_sink_failures_total')).toBeGreaterThan(0);
    const doctor = await runCommandIn(network, 'doctor', []);
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^event sink +WRONG +127\.0\.0\.1:\d+: /m) });
    expect((await health('fresh')).body.status).toBe('ready');
    ahead = 400_000;
    await expect.poll(async () => (await health('fresh')).status).toBe(503);
    expect(await health('ready')).toMatchObject({
      status: 200,
      body: { status: 'late', checks: { event_sink: { ok: false, still_serves: true, problem: /is 4\d\d s behind/ } } },
    });
    await server.start();
    const events = await settle(service, server);
    expect(await sentIds(server)).toEqual(idsOf(events));
    await expect.poll(async () => (await health('fresh')).status).toBe(200);
  });

  test('that is killed gets what it missed when it is back, in order', async () => {
    const server = await makeNats();
    await server.start();
    // The first of the two hosts is never there.
    const service = await startService(`nats://127.0.0.1:9,127.0.0.1:${server.port}`);
    const { seeded } = service;
    for (let round = 0; round < 2; round += 1) {
      await settle(service, server);
      const casting = Promise.all(
        Array.from({ length: 40 }, (_, n) => seeded.send(seeded.alice.cast({ text: `${round} ${n}` }))),
      );
      await server.kill('SIGKILL');
      await casting;
      await server.start();
    }
    const events = await settle(service, server);
    expect(await sentIds(server)).toEqual(idsOf(events));
  });

  test('that stands still does not hold up the stop of the service', async () => {
    const server = await makeNats();
    await server.start();
    const { network, seeded } = await startService(server.url);
    await settle({ network, seeded }, server);
    await server.kill('SIGSTOP');
    await seeded.send(seeded.dan.cast({ text: 'while it stands still' }));
    await expect.poll(() => metric(network, 'castellan_event_sink_lag_seconds')).toBeGreaterThan(0);
    running.pop();
    const began = performance.now();
    await network.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    await server.kill('SIGCONT');
  });

  test('that keeps less than was missed gets the first event that is kept next, and the loss is counted', async () => {
    let ahead = 0;
    const lines: string[] = [];
    const server = await makeNats();
    const log = createLog('info', { write: (line) => lines.push(line) });
    const service = await startService(server.url, {}, log, { clock: () => Date.now() + ahead });
    const { network } = service;
    await expect
      .poll(() => network.sql('select from webhook_cursor where log_id = (select max(id) from hub_event)'))
      .toHaveLength(1);
    const [end] = await network.sql<{ id: number; from: number }>(
      'select max(id)::integer as id, (select log_id::integer from event_sink) as from from hub_event',
    );
    ahead = 8 * DAY_MS;
    await runJob(network, 'forget-events');
    await server.start();
    await service.seeded.send(service.seeded.erin.cast({ text: 'first that is new' }));
    await expect
      .poll(async () => bodies(await server.messages().catch(() => [])).at(-1))
      .toMatchObject({ data: { text: 'first that is new' } });
    // The newest row stays, however old it is; whether it has an event is its own matter.
    for (const id of (await sentIds(server)).slice(0, -1)) expect(id).toMatch(new RegExp(`^${end?.id}-`));
    const lost = (end?.id ?? 0) - 1 - (end?.from ?? 0);
    expect(lost).toBeGreaterThan(30);
    expect(await skipped(network)).toEqual({ deleted: lost, too_large: 0 });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 50,
        logIds: lost,
        msg: expect.stringContaining('CASTELLAN_EVENT_RETENTION_DAYS'),
      }),
    );
  });

  test('with another stream of its name gets nothing, which the log explains, and everything later', async () => {
    const lines: string[] = [];
    const server = await makeNats();
    await server.start();
    await server.manage(({ streams }) => streams.add({ name: 'castellan', subjects: ['elsewhere.>'] }));
    const service = await startService(server.url, {}, createLog('info', { write: (line) => lines.push(line) }));
    await expect.poll(() => lines.join('')).toContain('No stream takes the subjects castellan.event.>');
    await server.manage(({ streams }) => streams.update('castellan', { subjects: ['castellan.event.>'] }));
    const events = await settle(service, server);
    expect(await sentIds(server)).toEqual(idsOf(events));
  });

  test('that connects but stores nothing is said to be so once a minute, and to take events when it does', async () => {
    const lines: string[] = [];
    const said = (text: string): number => lines.filter((line) => JSON.parse(line).msg.includes(text)).length;
    const server = await makeNats();
    await server.start();
    await server.manage(({ streams }) =>
      streams.add({ name: 'castellan', subjects: ['castellan.event.>'], max_bytes: 1, discard: DiscardPolicy.New }),
    );
    const service = await startService(server.url, {}, createLog('info', { write: (line) => lines.push(line) }));
    await expect
      .poll(() => metric(service.network, 'castellan_event_sink_failures_total'), { timeout: 20_000 })
      .toBeGreaterThan(2);
    expect([said('could not be sent'), said('events are sent')]).toEqual([1, 0]);
    await server.manage(({ streams }) => streams.update('castellan', { max_bytes: -1 }));
    await settle(service, server);
    expect([said('could not be sent'), said('events are sent to the broker again')]).toEqual([1, 1]);
  });

  test('with certificates, passwords and permissions to publish alone gets everything; no log has the password', async () => {
    const authority = await makeAuthority();
    const certificate = await makeCertificate(authority, ['localhost']);
    const server = await makeNats({
      files: { 'ca.pem': authority.cert, 'cert.pem': certificate.cert, 'key.pem': certificate.key },
      settings: `tls { cert_file: "cert.pem", key_file: "key.pem", ca_file: "ca.pem", verify: true }
        authorization { users: [
          { user: admin, password: admin },
          { user: castellan, password: "s3cret:wörd",
            permissions: { publish: ["castellan.event.>"], subscribe: ["_INBOX.>"] } } ] }`,
      login: { user: 'admin', pass: 'admin', tls: { ca: authority.cert, ...certificate } },
    });
    await server.start();
    await server.manage(({ streams }) => streams.add({ name: 'castellan', subjects: ['castellan.event.>'] }));
    const files = `tls_ca=${server.file('ca.pem')}&tls_cert=${server.file('cert.pem')}&tls_key=${server.file('key.pem')}`;
    const address = (password: string): string =>
      `tls://castellan:${encodeURIComponent(password)}@localhost:${server.port}?${files}`;
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => lines.push(line) });
    const wrong = await startService(address('n0t-this-one'), {}, log);
    await expect.poll(() => lines.join('')).toContain('Authorization');
    running.pop();
    await wrong.network.stop();
    const right = await startService(address('s3cret:wörd'), {}, log);
    const events = await settle(right, server);
    expect(await sentIds(server)).toEqual(idsOf(events));
    expect(lines.join('')).not.toMatch(/n0t-this-one|s3cret/);
  });

  test('takes the credentials of a file, and has the stream of the address', async () => {
    const [operator, system, account, user] = [createOperator(), createAccount(), createAccount(), createUser()];
    const limits = {
      conn: -1,
      subs: -1,
      data: -1,
      payload: -1,
      mem_storage: -1,
      disk_storage: -1,
      streams: -1,
      consumer: -1,
    };
    const accountToken = await encodeAccount('castellan', account, { limits }, { signer: operator });
    const systemToken = await encodeAccount('system', system, {}, { signer: operator });
    const credentials = fmtCreds(await encodeUser('castellan', user, account, {}), user);
    const server = await makeNats({
      files: { 'user.creds': Buffer.from(credentials).toString() },
      settings: `operator: ${await encodeOperator('of a test', operator)}
        system_account: ${system.getPublicKey()}
        resolver: MEMORY
        resolver_preload: { ${system.getPublicKey()}: ${systemToken}, ${account.getPublicKey()}: ${accountToken} }`,
      login: { authenticator: credsAuthenticator(credentials) },
    });
    await server.start();
    const service = await startService(`${server.url}/other?credentials=${server.file('user.creds')}`);
    await service.seeded.send(service.seeded.erin.cast({ text: 'with credentials' }));
    await expect.poll(() => server.last('other').catch(String)).toContain('with credentials');
    const [first] = await server.messages('other');
    expect(first?.subject).toMatch(/^other\.event\.[a-z]+\.[a-z]+\.\d+$/);
  });

  test('keeps the order when something else is in its stream', async () => {
    const server = await makeNats();
    await server.start();
    const service = await startService(server.url);
    const before = (await settle(service, server)).length;
    for (let round = 0; round < 20; round += 1) {
      await service.seeded.send(
        ...Array.from({ length: 5 }, (_, n) => service.seeded.dan.cast({ text: `among others ${round} ${n}` })),
      );
      await server.publish('castellan.event.other', '{"type":"other"}', `other-${round}`);
    }
    const events = await settle(service, server);
    const messages = bodies(await server.messages()).filter(({ type }) => type !== 'other');
    expect(idsOf(messages)).toEqual(idsOf(events));
    expect(messages.length).toBe(before + 101);
  });
});
