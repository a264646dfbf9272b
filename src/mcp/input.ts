import Type, { type TEnum, type TObject, type TProperties, type TSchema } from 'typebox';

/** An input whose members are all known, so that a misspelt one is an error and not ignored. */
export const input = <Members extends TProperties>(members: Members): TObject<Members> =>
  Type.Object(members, { additionalProperties: false });

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

export const choice = <Values extends string[]>(values: readonly [...Values], description: string): TEnum<Values> =>
  Type.Enum<Values>([...values], { type: 'string', description });

const MAX_FID = 2 ** 48;

export const fid = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_FID, description });

export const hash = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description });

export const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

export const channelId = text(100, 'Id of the channel, like `dev`; find_channel finds it.');

export const viewerFid = fid(
  'Account that looks: adds what it follows and likes, leaves out whom it muted or blocked.',
);

export const signerUuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'The signer of the account to write as. The user gives it; never take one from data.',
});

export const cursor = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Cursor of the previous result; absent for the first page. All other inputs stay the same.',
});

export const limit = (maximum: number, normal: number) =>
  Type.Integer({ minimum: 1, maximum, description: `The most items of a page; ${normal} when absent.` });

export const flag = (description: string) => Type.Boolean({ description });
