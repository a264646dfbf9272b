import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { nextPage } from '../page.js';

const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

const manifest = {
  failures: Type.Integer({ minimum: 0, description: 'Attempts in a row without a valid manifest; 0: it is valid.' }),
  failure: nullable(Type.String({ description: 'What was wrong the last time.' })),
  is_listed: Type.Boolean({
    description: 'It is in the catalog: a valid manifest was read once, and nobody hides it.',
  }),
  fetched_at: nullable(Type.String({ format: 'date-time', description: 'null: it was not read yet.' })),
  next_fetch_at: time,
};

/** Own extension: the mini app of the calling app, for the console. */
export const AppMiniAppResponse = namedObject('AppMiniAppResponse', {
  domain: nullable(Type.String({ description: 'null: the app has no mini app.' })),
  event_url: Type.String({ description: 'The `webhookUrl` of its manifest: hosts send their events there.' }),
  manifest: nullable(Type.Object(manifest, { description: 'null: the catalog does not know the domain.' })),
  tokens: Type.Object(
    { enabled: count, disabled: count, invalid: count },
    { description: 'Notification tokens of its users, by state.' },
  ),
});

export const MiniAppFault = namedObject('MiniAppFault', {
  domain: Type.String(),
  name: nullable(Type.String({ description: 'As the last valid manifest has it; null: there was none.' })),
  author_fid: nullable(Type.Integer()),
  ...manifest,
});
export type MiniAppFault = Static<typeof MiniAppFault>;

export const MiniAppFaultsResponse = namedObject('MiniAppFaultsResponse', {
  faults: Type.Array(MiniAppFault, { description: 'In the order of the domains.' }),
  next: nextPage,
});
