import type { Command } from 'commander';
import type { Examples } from './terminal/command.js';

/** Headings of the help, with the first words of the commands under them. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  Run: ['dev', 'serve'],
  'Set up': ['init', 'migrate'],
  Data: ['import', 'export', 'backfill', 'refused', 'backup', 'restore'],
  'Accounts and signers': ['account', 'signer', 'auth-address', 'wallet'],
  'Organizations and keys': ['org', 'app', 'key', 'invoice'],
  'Events and deliveries': ['webhook', 'delivery'],
  'Channels and mini apps': ['channel', 'miniapp'],
  'Look after it': ['doctor', 'audit', 'secret', 'version', 'help'],
  Programs: ['redirect', 'mcp'],
};

/** What the commands do that begin with the same word. */
const GROUPS: Readonly<Record<string, string>> = {
  account: 'Sign as an account of the sample network, whose keys are public knowledge',
  app: 'Make, list and change the apps that keys belong to',
  'auth-address': 'Approve and revoke addresses that sign in for accounts',
  channel: 'Make, list, change, import and export channels',
  delivery: 'List and try again what could not be delivered to mini apps and host apps',
  invoice: 'List invoices, note that one was paid, take one back',
  key: 'Make, list, rotate and revoke API keys',
  miniapp: 'List the catalog of mini apps, read manifests, feature and hide mini apps',
  org: 'Make, list and change organizations and their plans, show what was changed',
  refused: 'List and try again what could not be stored',
  secret: 'Change the key that stored secrets are sealed with',
  signer: 'Approve, list, narrow and revoke the keys that apps sign with',
  wallet: 'Make, import and list the wallets that pay for transactions',
  webhook: 'List, test and replay webhooks, explain which events they get, and change their secrets',
};

/** @returns what the commands that begin with a word do. @throws for a word without a text */
export const groupSummary = (word: string): string => {
  const text = GROUPS[word];
  if (text === undefined) throw new Error(`Say in help.ts what the commands of "${word}" do.`);
  return text;
};

const headingOf = (word: string): string => {
  const [heading] = Object.entries(HEADINGS).find(([, words]) => words.includes(word)) ?? [];
  if (heading === undefined) throw new Error(`Say in help.ts under which heading "${word}" stands.`);
  return `${heading}:`;
};

/** Puts all commands under headings, in the order in which they were added. @throws for one that has none */
export const addHeadings = (program: Command): void => {
  for (const command of program.commands) command.helpGroup(headingOf(command.name()));
  // Commander adds this one itself.
  program.commandsGroup(headingOf('help')).helpCommand(true);
};

/** Adds examples to the end of a command's help. */
export const addExamples = (command: Command, examples: Examples): Command => {
  const lines = examples.flatMap(([line, effect]) => ['', `  # ${effect}`, `  ${line}`]);
  return command.addHelpText('after', ['', 'Examples:', ...lines.slice(1)].join('\n'));
};
