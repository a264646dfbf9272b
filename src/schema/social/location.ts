import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';

export const LocationAddress = namedObject('LocationAddress', {
  city: Type.String(),
  country: Type.String(),
  country_code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  state_code: Type.Optional(Type.String()),
});
export const Location = namedObject('Location', {
  address: Type.Optional(LocationAddress),
  latitude: Type.Number({ format: 'double', maximum: 90, minimum: -90 }),
  longitude: Type.Number({ format: 'double', maximum: 180, minimum: -180 }),
  radius: Type.Optional(Type.Number({ minimum: 0, description: 'Metres.' })),
});
export type Location = Static<typeof Location>;
