import Type from 'typebox';

/** Path parameter of the addresses of a mini app, which hosts and users of the mini app call. */
export const appParams = Type.Object({
  app_id: Type.String({
    format: 'uuid',
    description: 'The app whose mini app it is, as `castellan app list` shows it.',
  }),
});

/** Bodies there have a few hundred bytes, and anybody may send them. */
export const MAX_PUBLIC_BODY_BYTES = 16 * 1024;
