import { expect, test } from 'vitest';
import { parseDatabaseUrl, replicaUrls } from './database-url.js';

test('one host is taken as it is', () => {
  const text = 'postgres://me:p%40ss@db.example:5433/castellan?sslmode=verify-full&application_name=one';
  expect(parseDatabaseUrl(text)).toEqual({ urls: [text], target: 'any', options: '' });
  const socket = 'postgresql:///castellan?host=/run/postgresql';
  expect(parseDatabaseUrl(socket)).toEqual({ urls: [socket], target: 'any', options: '' });
});

test('each of several hosts gets the rest of the address', () => {
  expect(parseDatabaseUrl('postgres://me:pw@a:5432,[::1]:5433,c/name?sslmode=disable')).toEqual({
    urls: [
      'postgres://me:pw@a:5432/name?sslmode=disable',
      'postgres://me:pw@[::1]:5433/name?sslmode=disable',
      'postgres://me:pw@c/name?sslmode=disable',
    ],
    target: 'read-write',
    options: '',
  });
});

test('settings of the session and its target are taken out', () => {
  const text = 'postgres://me@a,b/name?options=-c%20statement_timeout%3D5s&target_session_attrs=primary';
  expect(parseDatabaseUrl(text)).toEqual({
    urls: ['postgres://me@a/name', 'postgres://me@b/name'],
    target: 'primary',
    options: '-c statement_timeout=5s',
  });
});

test('time limits are settings of the session, too', () => {
  expect(parseDatabaseUrl('postgres://me@a/name?lock_timeout=5000&sslmode=disable&options=-c%20jit%3Don')).toEqual({
    urls: ['postgres://me@a/name?sslmode=disable'],
    target: 'any',
    options: '-c jit=on -c lock_timeout=5000',
  });
});

test.each([
  ['mysql://me:topsecret@a/name', /not of the form/],
  ['postgres://me:topsecret@a:port,b/name', /not of the form/],
  ['postgres://me:topsecret@a,,b/name', /an empty host/],
  [
    'postgres://me:topsecret@a/name?target_session_attrs=standby',
    /another target_session_attrs than any, primary, read-write/,
  ],
  ['postgres://me:topsecret@/name?host=a,b', /several hosts in its query/],
])('%s is refused without repeating it', (text, problem) => {
  expect(() => parseDatabaseUrl(text)).toThrow(problem);
  expect(() => parseDatabaseUrl(text)).not.toThrow(/topsecret/);
});

test('every host of every address is a replica, with the rest of its address', () => {
  const text = 'postgres://me:pw@a,b:5433/name?options=-c%20jit%3Don&sslmode=disable\n postgres://me@c/name';
  expect(replicaUrls(text, () => undefined)?.map((url) => url.reveal())).toEqual([
    'postgres://me:pw@a/name?sslmode=disable&options=-c%20jit%3Don',
    'postgres://me:pw@b:5433/name?sslmode=disable&options=-c%20jit%3Don',
    'postgres://me@c/name',
  ]);
});

test.each([
  ['postgres://me:topsecret@a/name mysql://me:topsecret@b/name', /not of the form/],
  ['postgres://me:topsecret@a/name?target_session_attrs=standby', /leave it out/],
])('replicas at %s are refused without repeating it', (text, problem) => {
  const problems: string[] = [];
  replicaUrls(text, (found) => void problems.push(found));
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems.join()).not.toMatch(/topsecret/);
});
