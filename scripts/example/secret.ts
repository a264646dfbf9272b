/** What is a credential, and what stands in its place. */
const SECRETS: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/cst_[\w-]{20,}/g, 'cst_EXAMPLE'],
  [/whs_[\w-]{20,}/g, 'whs_EXAMPLE'],
  // JSON Web Tokens and compact JSON Farcaster Signatures.
  [/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, 'HEADER.CLAIMS.SIGNATURE'],
  [/(?<=channelToken=)[\w-]{8,}/g, 'TOKEN'],
  [/(?<=\/approve\/)[\w-]{20,}/g, 'TOKEN'],
];

/** Members whose text is a credential, whatever it looks like. */
const SECRET_MEMBERS = new Set(['token', 'ticket', 'channelToken', 'secret']);
const OPAQUE = /^[\w-]{16,}$/;

const isSecretMember = (name: string, value: unknown): boolean =>
  SECRET_MEMBERS.has(name) && typeof value === 'string' && OPAQUE.test(value) && !value.startsWith('0x');

/** Lists of tokens that a host took or refused. */
const isTokenList = (name: string): boolean => /Tokens$/.test(name);

/** @returns the value with `TOKEN` and the like where credentials stood */
export const withoutSecrets = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') {
    if (isSecretMember(name, value) && !/^(cst|whs)_/.test(value)) return 'TOKEN';
    return SECRETS.reduce((text, [pattern, example]) => text.replaceAll(pattern, example), value);
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isTokenList(name) ? 'token' : name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]));
};

/** @returns paths of values in which a credential stands */
export const secretsIn = (value: unknown, place = ''): string[] => {
  const clean = withoutSecrets(value);
  return JSON.stringify(clean) === JSON.stringify(value) ? [] : [`${place} has a credential`];
};
