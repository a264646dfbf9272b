import { UserDataType } from '@farcaster/core';
import { expect, test } from 'vitest';
import type { StoredMessage } from '../stored-message.js';
import { profileOf } from './user-data.js';

const locationOf = (value: string) => {
  const message = { fid: 1, subtype: UserDataType.LOCATION, ts: 5, decoded: { data: { userDataBody: { value } } } };
  const { latitude, longitude } = profileOf([message as unknown as StoredMessage]);
  return [latitude, longitude];
};

test.each([
  ['geo:38.72,-9.14', [38.72, -9.14]],
  ['geo:-33.90,18.40', [-33.9, 18.4]],
  ['geo:90.00,180.00', [90, 180]],
  ['geo:-90.00,-180.00', [-90, -180]],
  ['geo:0.00,0.00', [0, 0]],
])('%s is a place', (value, point) => {
  expect(locationOf(value)).toEqual(point);
});

test('zero is never negative', () => {
  expect(locationOf('geo:-0.00,-0.00')).toEqual([0, 0]);
});

test.each([
  '',
  'geo:',
  'geo:38.72',
  'geo:38.72,',
  'geo:38.7,-9.14',
  'geo:38.721,-9.14',
  'geo:38,-9',
  'geo:+38.72,-9.14',
  'geo:38.72, -9.14',
  ' geo:38.72,-9.14',
  'geo:38.72,-9.14\n',
  'GEO:38.72,-9.14',
  'geo:38.72,-9.14;u=10',
  'geo:38.72,-9.14,5.00',
  'geo:90.01,0.00',
  'geo:0.00,180.01',
  'geo:123.00,0.00',
  'geo:1e1.00,0.00',
  'geo:٣٨.72,-9.14',
  'Lisbon',
])('%j is no place', (value) => {
  expect(locationOf(value)).toEqual([null, null]);
});
