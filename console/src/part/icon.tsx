/** Paths of icons on a field of 24 by 24, drawn with a line. */
const PATHS = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9c0-3.5 2.7-6 6-6s6 2.5 6 6m1-16.5a3.5 3.5 0 0 1 0 7M18 14.5c2 .8 3 2.8 3 5.5',
  channels: 'M5 9h14M5 15h14M10 4 8 20m8-16-2 16',
  live: 'M12 12h.01M8.5 15.5a5 5 0 0 1 0-7m7 0a5 5 0 0 1 0 7m-9.9 2.9a9 9 0 0 1 0-12.8m12.8 0a9 9 0 0 1 0 12.8',
  requests: 'm8 8-4 4 4 4m8-8 4 4-4 4m-3-10-4 12',
  keys: 'M14.5 9.5a4 4 0 1 0-3.4 4L13 15h2v2h2v2h3v-3l-5.6-5.6zM9 9h.01',
  webhooks: 'M9 8a3 3 0 1 1 4.5 2.6L16 15m-7 3a3 3 0 1 1-2-5.2l2.5-4.2M16 15a3 3 0 1 1-2.6 4.5H9',
  signers: 'm4 20 1-4L16 5l3 3L8 19zM14 7l3 3',
  log: 'M5 6h2m4 0h8M5 12h2m4 0h8M5 18h2m4 0h8',
  miniApps: 'M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm12.5 0v7M13 16.5h7',
  wallets: 'M4 7h14a2 2 0 0 1 2 2v9H6a2 2 0 0 1-2-2zm0 0 12-3v3m1 6h.01',
  collections: 'M4 5h16v14H4zm0 11 5-5 4 4 3-3 4 4M15 9h.01',
  subscriptions: 'M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5m5 3a8 8 0 0 1-14 5l-2-2m0 5v-5h5',
  usage: 'M4 20V4m0 16h16M8 16v-4m4 4V8m4 8v-6',
  plan: 'M3 7h18v11H3zm0 4h18M7 15h3',
  health: 'M3 12h4l2-6 4 12 2-6h6',
  ingest: 'M12 4v11m0 0-4-4m4 4 4-4M4 20h16',
  deliveries: 'M4 6h16v12H4zm0 1 8 6 8-6',
  jobs: 'M12 8v4l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  configuration: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  organizations: 'M4 20V9l8-5 8 5v11M9 20v-5h6v5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm9 2-4-4',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
  </svg>
);

export const Castle = () => (
  <svg viewBox="0 0 64 64" aria-hidden="true">
    <path d="M10 10h10v7h7v-7h10v7h7v-7h10v18l-5 5v21H15V33l-5-5Z" />
    <path class="gate" d="M26 54V43a6 6 0 0 1 12 0v11Z" />
  </svg>
);
