import type { Command } from 'commander';
import type { ChannelSettings } from '../../channel/manage.js';
import { UsageError } from '../terminal/command.js';
import { readFidOption } from './fid.js';

const MAX_NAME = 256;
const MAX_TEXT = 10_000;
const MAX_URL = 2048;

const readText = (option: string, most: number, text: unknown): string | null => {
  const words = String(text).trim();
  if (words.length > most) throw new UsageError(`${option} takes at most ${most} characters.`);
  return words === '' ? null : words;
};

const readUrl = (option: string, text: unknown): string | null => {
  const url = readText(option, MAX_URL, text);
  if (url !== null && !URL.canParse(url))
    throw new UsageError(`${option} takes an address like https://host.example/.`);
  return url;
};

/** @returns the parent URL of `--parent-url`. @throws UsageError for an empty or invalid one */
export const readParentUrl = (text: unknown): string => {
  const url = readUrl('--parent-url', text);
  if (url === null) throw new UsageError('--parent-url takes an address like https://host.example/channel.');
  return url;
};

/** @returns the name of `--name`. @throws UsageError for an empty or too long one */
export const readChannelName = (text: unknown): string => {
  const name = readText('--name', MAX_NAME, text);
  if (name === null) throw new UsageError('--name takes 1 to 256 characters.');
  return name;
};

/** Declares the options that say what a channel shows; an empty text removes what is there. */
export const configureSettings = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is about')
    .option('--image <url>', 'its picture')
    .option('--header-image <url>', 'the picture at the top of its page')
    .option('--link <url>', 'a link that its page shows')
    .option('--link-title <text>', 'the words of that link')
    .option('--url <url>', 'its page, if that is not the parent URL of its casts')
    .option('--lead <fid>', 'the account that leads it');

/** @returns the options that were given. @throws UsageError for invalid ones */
export const readSettings = (options: Readonly<Record<string, unknown>>): ChannelSettings => {
  const given = <Value>(name: string, read: (text: unknown) => Value) =>
    options[name] === undefined ? undefined : read(options[name]);
  const settings = {
    name: given('name', readChannelName),
    description: given('description', (text) => readText('--description', MAX_TEXT, text)),
    imageUrl: given('image', (text) => readUrl('--image', text)),
    headerImageUrl: given('headerImage', (text) => readUrl('--header-image', text)),
    externalLinkUrl: given('link', (text) => readUrl('--link', text)),
    externalLinkTitle: given('linkTitle', (text) => readText('--link-title', MAX_NAME, text)),
    url: given('url', (text) => readUrl('--url', text) ?? undefined),
    leadFid: given('lead', readFidOption),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
};
