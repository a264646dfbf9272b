import { toHex } from '../../hex.js';
import { isUuid } from '../../uuid.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { digits } from '../terminal/format.js';
import type { JsonObject, Output } from '../terminal/output.js';

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

/** Prints what is JSON for people, too: most of it is the body of a request. */
const printBody = (output: Output, body: JsonObject): void => output.result(body, JSON.stringify(body, null, 2));

export const accountListCommand = defineCommand({
  name: 'account list',
  summary: 'List accounts of the sample network, which the other commands can sign for',
  examples: [
    ['castellan account list', 'list the first 20 accounts'],
    ["castellan account list --limit 3 --json | jq '.[].username'", 'print three usernames, for a script'],
  ],
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
    for (const { fid, username, displayName, custodyAddress } of rows.sort((a, b) => a.fid - b.fid)) {
      if (!(await findSampleAuthor(db, fid))) continue;
      known.push({ fid, username, name: displayName, custody_address: `0x${custodyAddress}` });
    }
    const none = 'There is no account of the sample network here: `castellan dev` loads it into an empty store.';
    output.list(known, none, {
      Fid: ({ fid }) => digits(fid),
      Username: 'username',
      Name: 'name',
      Custody: 'custody_address',
    });
  },
});

export const accountSignInCommand = defineCommand({
  name: 'account sign-in',
  summary: 'Sign in as an account of the sample network: prints message and signature for /v2/social/signer/list/',
  examples: [
    ['castellan account sign-in @harbor --nonce 8cBzHVRqVxtx', 'print message and signature as JSON'],
    ['castellan account sign-in 1 --nonce 8cBzHVRqVxtx --query', 'print them as the query of an address'],
  ],
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
    if (asQuery) output.result(signed, new URLSearchParams(signed).toString());
    else printBody(output, signed);
  },
});

const isKey = (text: string): boolean => isUuid(text) || /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);

export const accountSignKeyCommand = defineCommand({
  name: 'account sign-key',
  summary: 'Sign a key request as an app of the sample network: prints the body for the signed_key operations',
  examples: [
    ['castellan account sign-key 3 --key 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'ask for the key of a signer'],
    [
      'castellan account sign-key @lantern --key 0x00000000000000000000000000000000000000fe --hours 1',
      'ask for an auth address, for an hour',
    ],
  ],
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
    printBody(output, { app_fid: fid, deadline, signature, [property]: key });
  },
});

export const accountVerifyAddressCommand = defineCommand({
  name: 'account verify-address',
  summary:
    'Claim a wallet for an account of the sample network: prints the body for POST /v2/social/user/verification/',
  examples: [
    ['castellan account verify-address 1', 'claim the first wallet that nobody has claimed'],
    [
      'castellan account verify-address @harbor --signer 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11',
      'make a whole body, for a signer that writes it',
    ],
  ],
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
    printBody(output, signer === undefined ? body : { signer_uuid: signer, ...body });
  },
});

export const accountSignManifestCommand = defineCommand({
  name: 'account sign-manifest',
  summary: 'Claim the domain of a mini app for an account of the sample network: prints its accountAssociation',
  examples: [
    ['castellan account sign-manifest @harbor --domain localhost:4000', 'print header, payload and signature'],
    ['castellan account sign-manifest 1 --domain localhost:4000 > association.json', 'keep them for the manifest'],
  ],
  configure: (command) =>
    command
      .argument('<account>', NEEDS_ACCOUNT)
      .requiredOption('--domain <domain>', 'where the mini app is, with its port'),
  input: ({ args, options }) => {
    const domain = String(options.domain).toLowerCase();
    if (!/^[a-z0-9.-]{1,253}(:\d{1,5})?$/.test(domain)) {
      throw new UsageError('--domain takes a domain like localhost:4000, without https:// and path.');
    }
    return { account: readAccount(args[0]), domain };
  },
  run: async ({ config, openCore }, { account, domain }, output) => {
    const [{ requireLocalNetwork, requireSampleAuthor }, { signAssociation }] = await Promise.all([
      loadSampleAuthor(),
      import('../../sample/association.js'),
    ]);
    requireLocalNetwork(config);
    const by = await requireSampleAuthor((await openCore()).db, account);
    printBody(output, { ...(await signAssociation(by, domain)) });
  },
});
