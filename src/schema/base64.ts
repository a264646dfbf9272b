import Type from 'typebox';

/** Standard base64 with padding, the hubs' form of bytes other than hashes and keys. */
export const Base64 = Type.String({
  format: 'byte',
  pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
});
