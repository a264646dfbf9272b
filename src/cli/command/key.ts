import type { Scope } from '../../schema/scope.js';
import type { ApiKey } from '../../store/access/api-key.js';
import { collectList, defineCommand, UsageError } from '../terminal/command.js';
import { minute } from '../terminal/format.js';
import type { Output } from '../terminal/output.js';

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** @returns seconds of `90s`, `30m`, `24h`, `7d`. @throws UsageError for anything else */
const readDuration = (option: string, text: string): number => {
  const parts = /^(\d{1,9})([smhd])$/.exec(text);
  if (!parts) throw new UsageError(`${option} takes a time like 90s, 30m, 24h or 7d, not "${text}".`);
  return Number(parts[1]) * UNITS[parts[2] as keyof typeof UNITS];
};

/** @returns Unix milliseconds of a date, or of a duration from now */
const readEnd = (text: string): number => {
  if (/^\d+[smhd]$/.test(text)) return Date.now() + readDuration('--expires', text) * 1000;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`--expires takes a date like 2030-01-31 or a time like 90d, not "${text}".`);
  return time;
};

const stateOf = ({ revokedAt, expiresAt }: ApiKey, now: Date) => {
  if (revokedAt) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'works';
};

const rowOf = (key: ApiKey, now: Date) => ({
  id: key.id,
  app_id: key.appId,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  state: stateOf(key, now),
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
});

const stateText = ({ state, expires_at, revoked_at }: ReturnType<typeof rowOf>): string => {
  if (state === 'revoked') return `revoked ${minute(revoked_at)}`;
  if (state === 'expired') return `ended ${minute(expires_at)}`;
  return expires_at === null ? 'works' : `works until ${minute(expires_at)}`;
};

const printKey = (output: Output, key: ApiKey & { readonly secret: string }): void => {
  const { id, name, secret, scopes, appId, expiresAt } = key;
  output.result({ id, name, key: secret, scopes, app_id: appId, expires_at: expiresAt }, secret);
  output.note(
    `Key ${key.id} (${key.name}) may ${key.scopes.join(', ')}. It is shown this once: only its hash is stored.`,
  );
};

export const keyCreateCommand = defineCommand({
  name: 'key create',
  summary: 'Make an API key and print it; it is shown only once',
  examples: [
    ['castellan key create my-app --scope read,write', 'make a key that reads and writes'],
    ["KEY=$(castellan key create my-script --expires 90d --json | jq -r '.key')", 'make one for 90 days, in a script'],
  ],
  configure: (command) =>
    command
      .argument('<name>', 'what it is for, to be told apart in the list')
      .option(
        '--scope <scope>',
        'what it may do: read, write, mute, seen, host, wallet, portal, webhook, operator; may be repeated, or a list (default: read)',
        collectList,
      )
      .option('--app <id>', "the app that it belongs to (default: the installation's own)")
      .option('--expires <when>', 'when it ends: 2030-01-31 or 90d (default: never)'),
  input: ({ args, options }) => ({
    name: args[0] as string,
    app: options.app as string | undefined,
    scopes: options.scope as string[] | undefined,
    end: options.expires === undefined ? undefined : readEnd(options.expires as string),
  }),
  run: async ({ openDatabase }, { name, app, scopes, end }, output) => {
    const { createKey, ensureDefaultAccess } = await import('../../access/key.js');
    const db = await openDatabase();
    const now = new Date();
    // A database without a first service start lacks the default app.
    await ensureDefaultAccess(db, undefined, now);
    const key = await createKey(db, {
      name,
      now,
      ...(app === undefined ? {} : { appId: app }),
      // `createKey` checks the scopes, which are words of the command line.
      ...(scopes === undefined ? {} : { scopes: scopes as Scope[] }),
      ...(end === undefined ? {} : { expiresAt: new Date(end) }),
    });
    printKey(output, key);
  },
});

export const keyListCommand = defineCommand({
  name: 'key list',
  summary: 'List the API keys, without their secrets',
  examples: [
    ['castellan key list', 'list all keys'],
    [
      `castellan key list --json | jq -r '.[] | select(.state == "expired") | .id'`,
      'print the ids of those that ended',
    ],
  ],
  configure: (command) => command.option('--app <id>', 'only the keys of this app'),
  input: ({ options }) => ({ app: options.app as string | undefined }),
  run: async ({ openDatabase }, { app }, output) => {
    const { selectApiKeys } = await import('../../store/access/api-key.js');
    const now = new Date();
    const keys = (await selectApiKeys(await openDatabase(), app)).map((key) => rowOf(key, now));
    output.list(keys, 'There is no key yet: make one with `castellan key create <name>`.', {
      Id: 'id',
      Name: 'name',
      Begins: ({ prefix }) => `${prefix}...`,
      Scopes: ({ scopes }) => scopes.join(','),
      State: stateText,
      Made: 'created_at',
      'Last used': 'last_used_at',
    });
  },
});

export const keyRotateCommand = defineCommand({
  name: 'key rotate',
  summary: 'Make and print the successor of a key, with its scopes and end; the old one works on for the grace',
  examples: [
    ['castellan key rotate 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'print a new key; the old one works for another day'],
    ['castellan key rotate 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --grace 0s', 'end the old one at once'],
  ],
  configure: (command) =>
    command
      .argument('<id>', 'the key, as `key list` shows it')
      .option('--grace <time>', 'like 0s, 1h, 7d (default: 24h)'),
  input: ({ args, options }) => ({
    id: args[0] as string,
    grace: options.grace === undefined ? undefined : readDuration('--grace', options.grace as string),
  }),
  run: async ({ openDatabase }, { id, grace }, output) => {
    const { rotateKey } = await import('../../access/key.js');
    const db = await openDatabase();
    printKey(
      output,
      await rotateKey(db, { id, now: new Date(), ...(grace === undefined ? {} : { graceSeconds: grace }) }),
    );
  },
});

export const keyRevokeCommand = defineCommand({
  name: 'key revoke',
  summary: 'End a key for good; a running service refuses it within a second',
  examples: [
    ['castellan key revoke 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'end one key'],
    ["castellan key revoke 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --json | jq -r '.name'", 'print which key it was'],
  ],
  configure: (command) => command.argument('<id>', 'the key, as `key list` shows it'),
  input: ({ args }) => ({ id: args[0] as string }),
  run: async ({ openDatabase }, { id }, output) => {
    const { revokeKey } = await import('../../access/key.js');
    const key = await revokeKey(await openDatabase(), { id, now: new Date() });
    const { name, revokedAt } = key;
    output.result({ id: key.id, name, revoked_at: revokedAt }, `Key ${key.id} (${name}) is revoked.`);
  },
});
