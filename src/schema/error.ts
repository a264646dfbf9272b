import Type, { type Static } from 'typebox';
import { namedObject } from './named.js';

/** The body of every failed v2 request; `property` names the invalid query, body, path or header member. */
export const ErrorRes = namedObject('ErrorRes', {
  code: Type.Optional(Type.String()),
  message: Type.String(),
  property: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer({ format: 'int32' })),
});
export type ErrorRes = Static<typeof ErrorRes>;

export const ConflictErrorRes = namedObject('ConflictErrorRes', {
  code: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  message: Type.String(),
  property: Type.Optional(Type.String()),
});
export type ConflictErrorRes = Static<typeof ConflictErrorRes>;

/** The body of status 400 in some operations of the contract: one entry for each invalid member. */
export const ValidationErrorRes = namedObject('ValidationErrorRes', {
  code: Type.String({ description: 'InvalidField for invalid input.' }),
  errors: Type.Array(
    Type.Object({
      code: Type.String(),
      expected: Type.String(),
      message: Type.String(),
      path: Type.Array(Type.String()),
      received: Type.String(),
    }),
  ),
  message: Type.String(),
});
export type ValidationErrorRes = Static<typeof ValidationErrorRes>;

export const PortalErrorRes = namedObject('PortalErrorRes', { code: Type.String(), message: Type.String() });
export type PortalErrorRes = Static<typeof PortalErrorRes>;

/** The body of every failed hub request; `errCode` is the hub's error code, `code` the gRPC status number. */
export const HubErrorRes = namedObject('HubErrorRes', {
  errCode: Type.String(),
  presentable: Type.Boolean(),
  name: Type.String(),
  code: Type.Integer(),
  details: Type.String(),
  metadata: Type.Object({ errcode: Type.Array(Type.String()) }),
});
export type HubErrorRes = Static<typeof HubErrorRes>;
