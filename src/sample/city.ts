import type { Language } from './language.js';

/** Name, latitude and longitude in degrees (two decimals, as in the protocol's `geo:` values), language. */
export type City = readonly [name: string, latitude: number, longitude: number, language: Language];

/** Where the accounts of the sample live. */
export const CITIES: readonly City[] = [
  ['Lisbon', 38.72, -9.14, 'pt'],
  ['Berlin', 52.52, 13.41, 'de'],
  ['Paris', 48.86, 2.35, 'fr'],
  ['London', 51.51, -0.13, 'en'],
  ['New York', 40.71, -74.01, 'en'],
  ['Mexico City', 19.43, -99.13, 'es'],
  ['São Paulo', -23.55, -46.63, 'pt'],
  ['Buenos Aires', -34.6, -58.38, 'es'],
  ['Lagos', 6.52, 3.38, 'en'],
  ['Nairobi', -1.29, 36.82, 'en'],
  ['Cairo', 30.04, 31.24, 'ar'],
  ['Istanbul', 41.01, 28.98, 'tr'],
  ['Amsterdam', 52.37, 4.9, 'en'],
  ['Kyiv', 50.45, 30.52, 'uk'],
  ['Mumbai', 19.08, 72.88, 'hi'],
  ['Delhi', 28.61, 77.21, 'hi'],
  ['Singapore', 1.35, 103.82, 'en'],
  ['Taipei', 25.03, 121.57, 'zh'],
  ['Seoul', 37.57, 126.98, 'ko'],
  ['Tokyo', 35.68, 139.69, 'ja'],
  ['Auckland', -36.85, 174.76, 'en'],
];
