import Type from 'typebox';

/** The id of an organization, an app or a key. */
export const uuid = Type.String({ format: 'uuid' });
