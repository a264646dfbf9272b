import { UsageError } from '../terminal/command.js';
import type { Setup } from './setup.js';

/** Unquoted, these mean the same to Node.js, systemd, Docker Compose and a shell. */
const PLAIN = /^[\w:/.@,%+=?&-]+$/;

/** @throws UsageError for a value that no quotes hold in all programs that read the file */
const quote = (name: string, value: string): string => {
  if (PLAIN.test(value)) return value;
  if (/['\n\\]/.test(value))
    throw new UsageError(`${name} contains a quote, backslash or line end: write it percent-encoded.`);
  return `'${value}'`;
};

/** Secrets of a new installation, in hex. */
export interface NewSecrets {
  readonly masterKey: string;
  readonly postgresPassword: string;
}

/** @returns the variables of the installation in the order of the file, each with what it is for */
const variablesOf = (
  setup: Setup,
  secrets: NewSecrets,
): (readonly [name: string, value: string, comment: string])[] => [
  ['PUBLIC_URL', `https://${setup.domain}`, 'The address that clients use.'],
  setup.databaseUrl === undefined
    ? ['POSTGRES_PASSWORD', secrets.postgresPassword, 'Of the database that compose.yaml starts.']
    : ['DATABASE_URL', setup.databaseUrl, 'The PostgreSQL server.'],
  [
    'CASTELLAN_MASTER_KEY',
    secrets.masterKey,
    'Seals stored secrets. Keep a copy away from this machine: without it they are lost.',
  ],
  ...(setup.hubUrl === undefined ? [] : [['CASTELLAN_HUB_URL', setup.hubUrl, 'The hub to follow.'] as const]),
  ...(setup.proxy === 'none' || setup.runner === 'compose'
    ? []
    : [['CASTELLAN_TRUSTED_PROXIES', '127.0.0.1,::1', 'The reverse proxy on this machine.'] as const]),
];

/** @returns the text of `.env`, which Castellan, systemd and Docker Compose read alike. @throws UsageError */
export const envFile = (setup: Setup, secrets: NewSecrets): string => {
  const lines = variablesOf(setup, secrets).map(
    ([name, value, comment]) => `# ${comment}\n${name}=${quote(name, value)}\n`,
  );
  return `# Written by castellan init. All variables: docs/configuration.md\n\n${lines.join('\n')}`;
};
