import { expect, test } from 'vitest';
import { targetError } from './target.js';

const fault = (text: string, allowLoopback = false) => targetError(new URL(text), { allowLoopback });

test.each([
  'https://app.example',
  'https://app.example:8443/base?x=1',
  'https://1.1.1.1',
  'https://[2606:4700::1111]/',
])('%s may be called', (text) => expect(fault(text)).toBeUndefined());

test.each([
  ['http://app.example', 'https://'],
  ['ftp://app.example', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['https://user@app.example', 'user'],
  ['https://:secret@app.example', 'user'],
  ['https://app.example:22', 'port 22'],
  ['https://app.example:25', 'port 25'],
  ['https://app.example:80', 'port 80'],
])('%s may not', (text, word) => {
  expect(fault(text)).toContain(word);
  expect(fault(text, true)).toContain(word);
});

const LOOPBACK = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
];
test.each(LOOPBACK)('loopback spelled %s is closed unless the switch is on', (host) => {
  expect(fault(`https://${host}`)).toContain('public');
  expect(fault(`http://${host}:3000`, true)).toBeUndefined();
});

test.each([
  '10.1',
  '0xa9fea9fe',
  '2852039166',
  '169.254.169.254',
  '0251.0376.0251.0376',
  '0.0.0.0',
  '0',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '168.63.129.16',
])('%s is closed, switch or not', (host) => {
  expect(fault(`https://${host}`)).toContain('public');
  expect(fault(`https://${host}`, true)).toContain('public');
  expect(fault(`http://${host}`, true)).toContain('public');
});
