import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isUuid } from '../../uuid.js';
import { requireMasterKey } from '../option/master-key.js';
import { readName } from '../option/name.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import type { Output } from '../terminal/output.js';

const ORGANIZATION = [
  '--organization <id>',
  "the organization that it belongs to (default: the installation's own)",
] as const;

interface NewWallet {
  readonly name: string;
  readonly organization: string | undefined;
}

const readOrganization = ({ organization: id }: Readonly<Record<string, unknown>>): string | undefined => {
  if (id === undefined || isUuid(id)) return id;
  throw new UsageError(`"${String(id)}" is no id of an organization.`);
};

const readNew = (text: unknown, options: Readonly<Record<string, unknown>>): NewWallet => ({
  name: readName(text),
  organization: readOrganization(options),
});

const NO_KEY = 'is no private key: 64 hex digits, with or without 0x.';

/** Problems do not contain the text, which may be a key with a typo. */
const readKey = (file: string | undefined): string => {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('Give the key in a file (--key-file), or on standard input: typed here, it would be shown.');
  }
  let text: string;
  try {
    text = readFileSync(file ?? 0, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`The key cannot be read: ${(error as Error).message}.`);
  }
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (digits === undefined) throw new UsageError(`What ${file ?? 'standard input'} holds ${NO_KEY}`);
  return digits;
};

const make = async (context: CommandContext, wallet: NewWallet, output: Output, key?: Uint8Array): Promise<void> => {
  const [{ makeWallet }, { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess }] = await Promise.all([
    import('../../onchain/transaction/wallet.js'),
    import('../../access/key.js'),
  ]);
  const db = await context.openDatabase();
  const masterKey = await requireMasterKey(context.config.masterKey, db, 'the key of the wallet');
  const now = new Date();
  // A database without a first service start lacks the organization.
  await ensureDefaultAccess(db, undefined, now);
  const { name, organization: organizationId = DEFAULT_ORGANIZATION_ID } = wallet;
  const made = await makeWallet(db, masterKey, { organizationId, name, now, ...(key && { key }) });
  output.result({ id: made.id, name, address: made.address, organization_id: organizationId }, made.id);
  output.note(
    `Wallet ${made.id} (${name}) has the address ${made.address}: send it coin of each network it is to use.`,
  );
  output.note('Its key is stored sealed, and shown to nobody: a backup needs the database and CASTELLAN_MASTER_KEY.');
};

export const walletCreateCommand = defineCommand({
  name: 'wallet create',
  summary: 'Make a wallet with a new key, and print the id for the header x-wallet-id',
  examples: [
    ['castellan wallet create shop', 'make a wallet; its id is printed'],
    ["castellan wallet create shop --json | jq -r '.address'", 'print where to send its coin'],
  ],
  configure: (command: Command) =>
    command.argument('<name>', 'what it is for, to be told apart in the list').option(...ORGANIZATION),
  input: ({ args, options }) => readNew(args[0], options),
  run: make,
});

export const walletImportCommand = defineCommand({
  name: 'wallet import',
  summary: 'Take over a private key, from standard input or a file, and print the id of its wallet',
  examples: [
    ['castellan wallet import shop --key-file key.txt', 'take over the key that a file holds'],
    [
      'castellan wallet import shop --key-file key.txt --organization 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11',
      'give the wallet to an organization',
    ],
  ],
  configure: (command) =>
    command
      .argument('<name>', 'what it is for, to be told apart in the list')
      .option('--key-file <file>', 'holds the key, 64 hex digits (default: standard input)')
      .option(...ORGANIZATION),
  input: ({ args, options, cwd }) => {
    const { keyFile } = options;
    const wallet = readNew(args[0], options);
    return { ...wallet, key: readKey(keyFile === undefined ? undefined : resolve(cwd, keyFile as string)) };
  },
  run: async (context, { key: digits, ...wallet }, output) => {
    const key = Buffer.from(digits, 'hex');
    try {
      return await make(context, wallet, output, key);
    } finally {
      key.fill(0);
    }
  },
});

export const walletListCommand = defineCommand({
  name: 'wallet list',
  summary: 'List the wallets, without their keys',
  examples: [
    ['castellan wallet list', 'list all wallets'],
    ["castellan wallet list --json | jq -r '.[].address'", 'print their addresses only'],
  ],
  configure: (command) => command.option('--organization <id>', 'only the wallets of this organization'),
  input: ({ options }) => ({ organization: readOrganization(options) }),
  run: async ({ openDatabase }, { organization }, output) => {
    const [{ selectWallets }, { addressOf }] = await Promise.all([
      import('../../store/onchain/wallet.js'),
      import('../../onchain/transaction/wallet.js'),
    ]);
    const rows = (await selectWallets(await openDatabase(), organization)).map((row) => ({
      id: row.id,
      name: row.name,
      address: addressOf(row),
      organization_id: row.organizationId,
      created_at: row.createdAt,
    }));
    output.list(rows, 'There is no wallet yet: make one with `castellan wallet create <name>`.', {
      Id: 'id',
      Name: 'name',
      Address: 'address',
      Organization: 'organization_id',
      Made: 'created_at',
    });
  },
});
