import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildProgram, freePort, type Service, TestWorkspace } from './support/castellan.js';
import { until } from './support/hub-fixture.js';
import { type Receiver, startReceiver } from './support/receiver.js';

/** A span as OTLP writes it in JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const [SERVER, CLIENT] = [2, 3];

const work = new TestWorkspace();
let collector: Receiver;
let hook: Receiver;
beforeAll(async () => {
  await buildProgram();
  collector = await startReceiver();
  hook = await startReceiver();
}, 60_000);
afterAll(async () => {
  await work.clear();
  await collector.stop();
  await hook.stop();
});

let service: Service | undefined;
afterEach(async () => {
  service?.child.kill('SIGTERM');
  await service?.ended;
});

const start = async (more: Record<string, string>): Promise<Service> => {
  const store = await work.migratedStore();
  service = await work.startDev({ ...store, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true', CASTELLAN_CRAWL: '0', ...more });
  const { file } = await work.writeSample('traced.ndjson', { accounts: 3, casts: 5, reactions: 0, follows: 0 });
  expect((await work.start(['import', file], service.environment).ended).code).toBe(0);
  return service;
};
/** Requests as of the service's own app. */
const ask = ({ environment }: Service, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${environment.PORT}${path}`, {
    ...init,
    headers: {
      'x-api-key': readFileSync(join(environment.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim(),
      'content-type': 'application/json',
      ...init.headers,
    },
  });

const exported = (): Exported[] => collector.received.map(({ body }) => JSON.parse(body) as Exported);
const spans = (): Span[] =>
  exported().flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const attributesOf = ({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const traceparent = (flags: string): Record<string, string> => ({ traceparent: `00-${TRACE}-${CALLER}-${flags}` });

test('a request is a span of the trace that it names, above what it reads and sends', async () => {
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret%20word',
    OTEL_SERVICE_NAME: 'traced',
  });
  const made = await ask(running, '/v2/social/webhook/', {
    method: 'POST',
    headers: traceparent('01'),
    body: JSON.stringify({ name: 'traced', url: hook.url, subscription: { 'cast.created': {} } }),
  });
  expect(made.status).toBe(200);
  const { webhook } = (await made.json()) as { webhook: { webhook_id: string } };
  const { webhook_id } = webhook;
  const tried = await ask(running, '/v2/social/webhook/test/', {
    method: 'POST',
    headers: traceparent('01'),
    body: JSON.stringify({ webhook_id, type: 'cast.created' }),
  });
  expect([tried.status, await tried.json()]).toMatchObject([200, { success: true }]);
  const read = await ask(running, '/v2/social/user/bulk/?fids=1', { headers: traceparent('01') });
  expect(read.status).toBe(200);

  // What has not been sent yet is sent when the service stops.
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  const all = spans().filter(({ traceId }) => traceId === TRACE);
  const requests = all.filter(({ kind }) => kind === SERVER);
  expect(requests.map(({ name, parentSpanId }) => ({ name, parentSpanId }))).toEqual(
    expect.arrayContaining([
      { name: 'POST /v2/social/webhook/', parentSpanId: CALLER },
      { name: 'GET /v2/social/user/bulk/', parentSpanId: CALLER },
    ]),
  );
  const request = requests.find(({ name }) => name === 'GET /v2/social/user/bulk/') as Span;
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/v2/social/user/bulk/',
    'http.response.status_code': 200,
    'castellan.operation': 'fetch-bulk-users',
    'castellan.request_id': read.headers.get('x-request-id'),
  });
  const hydrate = all.find(({ name, parentSpanId }) => name === 'hydrate users' && parentSpanId === request.spanId);
  expect(hydrate).toBeDefined();
  const statements = all.filter(({ kind, parentSpanId }) => kind === CLIENT && parentSpanId === hydrate?.spanId);
  expect(statements.map(({ name }) => name)).toContain('account_by_fid');
  for (const one of statements) {
    expect(BigInt(one.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
    expect(BigInt(one.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano));
  }
  const written = all.filter(({ name }) => name === 'transaction');
  expect(written.length).toBeGreaterThan(0);
  const ids = new Set(all.map(({ spanId }) => spanId));
  for (const { parentSpanId, name } of all) expect([...ids, CALLER], name).toContain(parentSpanId);

  const delivery = all.find(({ name }) => name === 'deliver webhook') as Span;
  expect(hook.received.map(({ headers }) => headers.traceparent)).toEqual([`00-${TRACE}-${delivery.spanId}-01`]);
  const [{ resourceSpans }] = exported() as [Exported];
  expect(attributesOf((resourceSpans[0] as Exported['resourceSpans'][number]).resource)).toMatchObject({
    'service.name': 'traced',
    'castellan.role': 'api,ingest,job',
  });
  expect(collector.received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'secret word' } });
  // Neither keys nor parameters of statements are written down.
  const key = readFileSync(join(running.environment.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
  for (const text of [key, hook.url, webhook_id]) expect(JSON.stringify(exported())).not.toContain(text);
});

test('a caller that does not record its trace is followed, and a share of 0 begins none', async () => {
  const before = spans().length;
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' });
  expect((await ask(running, '/v2/social/user/bulk/?fids=1')).status).toBe(200);
  expect((await ask(running, '/v2/social/user/bulk/?fids=2', { headers: traceparent('00') })).status).toBe(200);
  expect((await ask(running, '/v2/social/user/bulk/?fids=3', { headers: traceparent('01') })).status).toBe(200);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  const requests = spans()
    .slice(before)
    .filter(({ kind }) => kind === SERVER);
  expect(requests.map(({ name }) => name)).toEqual(['GET /v2/social/user/bulk/']);
});

// Into a database on a server, `castellan import` writes by itself, and only services are traced.
test.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a batch of ingest is a span above its statements',
  async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    running.child.kill('SIGTERM');
    await running.ended;
    const batch = spans().find(({ name }) => name === 'ingest batch') as Span;
    expect(attributesOf(batch)).toMatchObject({ 'castellan.source': 'file' });
    const [transaction] = spans().filter(({ parentSpanId }) => parentSpanId === batch.spanId);
    expect(transaction?.name).toBe('transaction');
    expect(spans().filter(({ parentSpanId }) => parentSpanId === transaction?.spanId).length).toBeGreaterThan(3);
  },
);

test('without a collector nothing is traced, loaded or sent on', async () => {
  const [before, called] = [collector.received.length, hook.received.length];
  const running = await start({ NODE_DEBUG: 'esm' });
  const made = await ask(running, '/v2/social/webhook/', {
    method: 'POST',
    headers: traceparent('01'),
    body: JSON.stringify({ name: 'untraced', url: hook.url, subscription: { 'cast.created': {} } }),
  });
  const { webhook } = (await made.json()) as { webhook: { webhook_id: string } };
  const body = JSON.stringify({ webhook_id: webhook.webhook_id, type: 'cast.created' });
  expect((await ask(running, '/v2/social/webhook/test/', { method: 'POST', body })).status).toBe(200);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  expect(running.err()).toContain('register-operation.js');
  expect(running.err()).not.toMatch(/trace-library|open-telemetry/);
  expect(collector.received.length).toBe(before);
  expect(hook.received.slice(called).map(({ headers }) => headers.traceparent)).toEqual([undefined]);
});

test('a collector that is away is in the log', async () => {
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    CASTELLAN_LOG_LEVEL: 'warn',
  });
  expect((await ask(running, '/v2/social/user/bulk/?fids=1')).status).toBe(200);
  await until(() => running.out().includes('traces could not be sent'));
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('a collector that never answers delays no stop', async () => {
  const collector = await startReceiver(() => undefined);
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' });
  expect((await ask(running, '/v2/social/user/bulk/?fids=1')).status).toBe(200);
  const at = performance.now();
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  expect(performance.now() - at).toBeLessThan(30_000);
  await collector.stop();
});
