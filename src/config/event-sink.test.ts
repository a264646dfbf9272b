import { expect, test } from 'vitest';
import { parseEventSink } from './event-sink.js';
import { Secret } from './secret.js';

test('an address has servers, a login and a stream', () => {
  const found = parseEventSink('nats://castellan:p%40ss:word@one.example,two.example:5222,[::1]:4222/prod?replicas=3');
  expect(found).toMatchObject({
    servers: ['one.example:4222', 'two.example:5222', '[::1]:4222'],
    user: 'castellan',
    token: undefined,
    tls: undefined,
    stream: 'prod',
    replicas: 3,
  });
  expect(found.password?.reveal()).toBe('p@ss:word');
  expect(JSON.stringify(found)).not.toContain('p@ss');
});

test('a user without a password is a token', () => {
  const { user, token } = parseEventSink('nats://abc@host.example');
  expect([user, token instanceof Secret && token.reveal()]).toEqual([undefined, 'abc']);
});

test.each([
  ['tls://host.example', {}],
  ['nats://host.example/?tls_ca=/ca.pem', { caFile: '/ca.pem' }],
  ['tls://host.example?tls_cert=/c.pem&tls_key=/k.pem', { certFile: '/c.pem', keyFile: '/k.pem' }],
])('%s is encrypted', (address, tls) => {
  expect(parseEventSink(address)).toMatchObject({ tls, stream: 'castellan' });
});

test.each([
  ['kafka://host.example:9092', 'Kafka'],
  ['host.example:4222', 'form nats://'],
  ['nats://', 'form nats://'],
  ['nats://host.example:0', 'form nats://'],
  ['nats://host.example:4222,', 'form nats://'],
  ['nats://host.example/a.b', 'a stream that is not'],
  ['nats://host.example/a/b', 'form nats://'],
  ['nats://a:%zz@host.example', 'not encoded'],
  ['nats://host.example?replica=3', 'a parameter that is none of'],
  ['nats://host.example?replicas=7', 'replicas other than 1 to 5'],
  ['nats://host.example?tls_cert=/c.pem', 'both tls_cert and tls_key'],
  ['nats://a:b@host.example?credentials=/c.creds', 'use one of them'],
])('%s is refused', (address, problem) => {
  expect(() => parseEventSink(address)).toThrow(problem);
});
