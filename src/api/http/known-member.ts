import { invalidField } from '../../error.js';

/**
 * Rejects members that a body does not have, for operations that move money: elsewhere an unknown member is ignored, but
 * here it may be another service's name for a member that changes what is paid.
 * @param value an object of the body
 * @param known names of its members
 * @param options `path`: where it is in the body, like `recipients[0]`, empty for the body; `hint`: what to do
 * @throws AppError invalid with the unknown member as property
 */
export const requireKnownMembers = (
  value: object,
  known: readonly string[],
  { path = '', hint }: { readonly path?: string; readonly hint: string },
): void => {
  const name = Object.keys(value).find((member) => !known.includes(member));
  if (name === undefined) return;
  const property = path === '' ? name : `${path}.${name}`;
  throw invalidField(property, `${property} is no member of this body. ${hint}`);
};
