/** Domains under which tunnels to machines of developers live, whose addresses change (discovery guide, "Hosting"). */
const TUNNELS = [
  'ngrok.io',
  'ngrok.app',
  'ngrok.dev',
  'ngrok-free.app',
  'ngrok-free.dev',
  'replit.dev',
  'localtunnel.me',
  'loca.lt',
  'trycloudflare.com',
  'tunnelmole.net',
  'serveo.net',
  'localhost.run',
  'lhr.life',
  'devtunnels.ms',
];

/** @param domain host name in lower case */
export const isTunnel = (domain: string): boolean =>
  TUNNELS.some((tunnel) => domain === tunnel || domain.endsWith(`.${tunnel}`));
