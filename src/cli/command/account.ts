import { toHex } from '../../hex.js';
import { isUuid } from '../../uuid.js';
import { defineCommand, UsageError } from '../terminal/command.js';

const HOUR_SECONDS = 3600;
const MAX_HOURS = 720;
const NEEDS_ACCOUNT = 'a fid, or a username like @harbor';

const readInteger = (text: unknown, option: string, low: number, high: number): number => {
  const value = Number(text);
  if (/^\d{1,9}$/.test(String(text)) && value >= low && value <= high) return value;
  throw new UsageError(`${option} takes a whole number from ${low} to ${high}.`);
};

const readAccount = (text: unknown): string => {
  if (/^(\d{1,15}|@?[a-zA-Z0-9][a-zA-Z0-9.-]{0,40})$/.test(String(text))) return String(text);
  throw new UsageError(`"${String(text)}" is no account: give ${NEEDS_ACCOUNT}.`);
};

const loadSampleAuthor = () => import('../dev/sample-author.js');

const json = (value: object): string => JSON.stringify(value, null, 2);

export const accountListCommand = defineCommand({
  name: 'account list',
  summary: 'List accounts of the sample network, which the other commands can sign for',
  configure: (command) => command.option('--limit <n>', 'how many, by fid', '20'),
  input: ({ options }) => ({ limit: readInteger(options.limit, '--limit', 1, 1000) }),
  run: async ({ config, openCore }, { limit }, output) => {
    const [{ requireLocalNetwork, findSampleAuthor }, { selectAccounts }] = await Promise.all([
      loadSampleAuthor(),
      import('../../store/query/account.js'),
    ]);
    requireLocalNetwork(config);
    const { db } = await openCore();
    // The sample numbers its accounts from 1.
    const rows = await selectAccounts(
      db,
      Array.from({ length: limit }, (_, index) => index + 1),
    );
    const known = [];
    for (const row of rows.sort((a, b) => a.fid - b.fid)) if (await findSampleAuthor(db, row.fid)) known.push(row);
    const none = 'There is no account of the sample network here: `castellan dev` loads it into an empty store.';
    output.list(known, none, {
      Fid: (row) => row.fid,
      Username: (row) => row.username ?? '-',
      Name: (row) => row.displayName ?? '-',
      Custody: (row) => `0x${row.custodyAddress}`,
    });
  },
});

export const accountSignInCommand = defineCommand({
  name: 'account sign-in',
  summary: 'Sign in as an account of the sample network: prints message and signature for /v2/social/signer/list/',
  configure: (command) =>
    command
      .argument('<account>', NEEDS_ACCOUNT)
      .requiredOption('--nonce <nonce>', 'from GET /v2/social/login/nonce/')
      .option('--domain <domain>', 'of the app that asks', 'localhost')
      .option('--uri <uri>', 'of the app that asks; https:// and the domain unless given')
      .option('--query', 'print a query, to be put after the ? of an address, in the place of JSON'),
  input: ({ args, options }) => {
    const { nonce, domain, uri = `https://${String(domain)}` } = options;
    if (!/^[a-zA-Z0-9]{8,}$/.test(String(nonce))) throw new UsageError('A nonce is 8 or more letters and digits.');
    if (!URL.canParse(String(uri))) throw new UsageError('--uri takes an address like https://app.example/login.');
    const texts = { nonce: String(nonce), domain: String(domain), uri: String(uri) };
    return { account: readAccount(args[0]), ...texts, asQuery: options.query === true };
  },
  run: async ({ config, openCore }, { account, asQuery, ...requested }, output) => {
    const [{ requireLocalNetwork, requireSampleAuthor }, { signInMessage }] = await Promise.all([
      loadSampleAuthor(),
      import('../dev/sample-sign-in.js'),
    ]);
    requireLocalNetwork(config);
    const signed = await signInMessage(await requireSampleAuthor((await openCore()).db, account), requested);
    output.line(asQuery ? new URLSearchParams(signed).toString() : json(signed));
  },
});

const isKey = (text: string): boolean => isUuid(text) || /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);

export const accountSignKeyCommand = defineCommand({
  name: 'account sign-key',
  summary: 'Sign a key request as an app of the sample network: prints the body for the signed_key operations',
  configure: (command) =>
    command
      .argument('<account>', `the app's account: ${NEEDS_ACCOUNT}`)
      .requiredOption('--key <key>', 'signer_uuid, the public key of a signer, or an auth address')
      .option('--hours <n>', 'until the request ends', '24'),
  input: ({ args, options }) => {
    const key = String(options.key);
    if (!isKey(key)) throw new UsageError(`"${key}" is no signer_uuid, no public key and no address.`);
    return { account: readAccount(args[0]), key, hours: readInteger(options.hours, '--hours', 1, MAX_HOURS) };
  },
  run: async ({ config, openCore }, { account, key, hours }, output) => {
    const [{ requireLocalNetwork, requireSampleAuthor }, { namedKey }, { signKeyClaim }] = await Promise.all([
      loadSampleAuthor(),
      import('../dev/signer-key.js'),
      import('../../sample/verification-claim.js'),
    ]);
    requireLocalNetwork(config);
    const { db } = await openCore();
    const { fid, custody } = await requireSampleAuthor(db, account);
    const { property, bytes } = await namedKey(db, key);
    const deadline = Math.floor(Date.now() / 1000) + hours * HOUR_SECONDS;
    const signature = await signKeyClaim(bytes, { fid, wallet: custody }, deadline);
    output.line(json({ app_fid: fid, deadline, signature, [property]: key }));
  },
});

export const accountVerifyAddressCommand = defineCommand({
  name: 'account verify-address',
  summary:
    'Claim a wallet for an account of the sample network: prints the body for POST /v2/social/user/verification/',
  configure: (command) =>
    command
      .argument('<account>', NEEDS_ACCOUNT)
      .option('--wallet <n>', 'which of its wallets; the sample verifies none from 4 on', '4')
      .option('--signer <uuid>', 'signer_uuid that writes the verification, to stand in the body'),
  input: ({ args, options }) => {
    const { signer } = options;
    if (signer !== undefined && !isUuid(signer)) throw new UsageError(`"${String(signer)}" is no signer_uuid.`);
    const wallet = readInteger(options.wallet, '--wallet', 0, 99);
    return { account: readAccount(args[0]), wallet, signer: signer as string | undefined };
  },
  run: async ({ config, openCore }, { account, wallet: index, signer }, output) => {
    const [{ requireLocalNetwork, requireSampleAuthor }, { ethereumVerification }] = await Promise.all([
      loadSampleAuthor(),
      import('../../sample/verification-claim.js'),
    ]);
    requireLocalNetwork(config);
    const { db, network } = await openCore();
    const by = await requireSampleAuthor(db, account);
    const wallet = by.wallet(index);
    // Stands for a recent block hash, which no chain checks here.
    const blockHash = new Uint8Array(32).fill(1);
    const { claimSignature } = await ethereumVerification({ fid: by.fid, network, blockHash }, wallet);
    const body = {
      address: wallet.account.address,
      block_hash: toHex(blockHash),
      eth_signature: toHex(claimSignature),
    };
    output.line(json(signer === undefined ? body : { signer_uuid: signer, ...body }));
  },
});
