import { expect, test } from 'vitest';
import { openCityIndex } from './geocode.js';

const cityIndex = await openCityIndex();

test.each([
  [
    40.71,
    -74.01,
    { city: 'New York City', country: 'United States', country_code: 'US', state: 'New York', state_code: 'NY' },
  ],
  [40.74, -74.03, { city: 'Hoboken', state: 'New Jersey', state_code: 'NJ' }],
  [52.52, 13.41, { city: 'Berlin', country: 'Germany', country_code: 'DE' }],
  [52.4, 13.06, { city: 'Potsdam', state: 'Brandenburg' }],
  [35.68, 139.69, { city: 'Tokyo', country: 'Japan' }],
  [64.15, -21.94, { city: 'Reykjavík' }],
  [-18.14, 178.44, { city: 'Suva', country: 'Fiji' }],
])('%s, %s', (latitude, longitude, address) => {
  expect(cityIndex.addressAt(latitude, longitude)).toMatchObject(address);
});

test("a division's number in GeoNames is not given out as its code", () => {
  expect(cityIndex.addressAt(48.86, 2.35)).toEqual({
    city: 'Paris',
    country: 'France',
    country_code: 'FR',
    state: 'Île-de-France',
  });
});

test('far from every city there is no address, and no point fails', () => {
  expect(cityIndex.addressAt(0, 0)).toBeUndefined();
  expect(cityIndex.addressAt(-90, 0)).toBeUndefined();
  for (const latitude of [-90, -45.5, 0, 89.99, 90]) {
    for (const longitude of [-180, -179.99, 0, 179.99, 180]) cityIndex.addressAt(latitude, longitude);
  }
});

test('the same on both sides of the 180th meridian', () => {
  expect(cityIndex.addressAt(-16.8, -179.99)).toEqual(cityIndex.addressAt(-16.8, -180));
  expect(cityIndex.addressAt(-16.8, 180)).toEqual(cityIndex.addressAt(-16.8, -180));
});

test('the city index is loaded only once', async () => {
  expect(await openCityIndex()).toBe(cityIndex);
});
