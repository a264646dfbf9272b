import { INVALIDATE_ALL } from '../../store/change.js';
import { configureSettings, readChannelName, readParentUrl, readSettings } from '../option/channel.js';
import { readFidOption } from '../option/fid.js';
import { defineCommand, UsageError } from '../terminal/command.js';

const ID = 'the channel, as `channel list` shows it';

const idOf = (text: unknown): string => String(text).trim().toLowerCase().replace(/^\//, '');

export const channelCreateCommand = defineCommand({
  name: 'channel create',
  summary: 'Make a channel of this server; running services know it within a second',
  examples: [
    ['castellan channel create garden --name Garden', 'make a channel that nobody leads yet'],
    ['castellan channel create garden --name Garden --lead 3 --description "Seeds and soil"', 'let account 3 lead it'],
  ],
  configure: (command) =>
    configureSettings(
      command
        .argument('<id>', '1 to 16 lower-case letters and digits')
        .requiredOption('--name <name>', 'what it is called')
        .option('--parent-url <url>', 'the URL of its casts (default: https://farcaster.xyz/~/channel/<id>)'),
    ),
  input: ({ args, options }) => ({
    ...readSettings(options),
    id: String(args[0]),
    name: readChannelName(options.name),
    ...(options.parentUrl === undefined ? {} : { parentUrl: readParentUrl(options.parentUrl) }),
  }),
  run: async ({ openCore }, channel, output) => {
    const { createChannel } = await import('../../channel/manage.js');
    const { db, changed } = await openCore();
    await db.transaction((session) => createChannel(session, channel, new Date()));
    changed(INVALIDATE_ALL);
    output.result({ id: channel.id });
    output.note(`Channel ${channel.id} is made: \`castellan channel show ${channel.id}\` shows it.`);
  },
});

export const channelSetCommand = defineCommand({
  name: 'channel set',
  summary: 'Change what a channel of this server shows; an empty text removes what is there',
  examples: [
    ['castellan channel set garden --image https://images.example/garden.png', 'give it another picture'],
    ['castellan channel set garden --link ""', 'remove its link'],
  ],
  configure: (command) => configureSettings(command.argument('<id>', ID).option('--name <name>', 'what it is called')),
  input: ({ args, options }) => {
    const settings = readSettings(options);
    if (Object.keys(settings).length === 0) {
      throw new UsageError(
        'Say what to change: --name, --description, --image, --header-image, --link, --url, --lead.',
      );
    }
    return { id: idOf(args[0]), settings };
  },
  run: async ({ openCore }, { id, settings: { leadFid, ...settings } }, output) => {
    const { changeChannel, changeLead } = await import('../../channel/manage.js');
    const { db, changed } = await openCore();
    await db.transaction(async (session) => {
      await changeChannel(session, id, settings, new Date());
      if (leadFid) await changeLead(session, id, leadFid, new Date());
    });
    changed(INVALIDATE_ALL);
    output.result({ id });
    output.note(`Channel ${id} is changed.`);
  },
});

export const channelLeadCommand = defineCommand({
  name: 'channel lead',
  summary: 'Make another account the lead of a channel; the former one stays as a moderator, if there is room for one',
  examples: [
    ['castellan channel lead garden 4', 'let account 4 lead it'],
    ["castellan channel show garden --json | jq '.lead_fid'", 'print who leads it'],
  ],
  configure: (command) => command.argument('<id>', ID).argument('<fid>', 'the account'),
  input: ({ args }) => ({ id: idOf(args[0]), fid: readFidOption(args[1]) }),
  run: async ({ openCore }, { id, fid }, output) => {
    const { changeLead } = await import('../../channel/manage.js');
    const { db, changed } = await openCore();
    await db.transaction((session) => changeLead(session, id, fid, new Date()));
    changed(INVALIDATE_ALL);
    output.result({ id, lead_fid: fid });
    output.note(`Account ${fid} leads the channel ${id}.`);
  },
});

export const channelAliasCommand = defineCommand({
  name: 'channel alias',
  summary: 'Add a URL under which casts belong to a channel, or remove one',
  examples: [
    ['castellan channel alias garden https://garden.example/', 'count casts under this URL, too'],
    ['castellan channel alias garden https://garden.example/ --remove', 'count them no longer'],
  ],
  configure: (command) =>
    command
      .argument('<id>', ID)
      .argument('<url>', 'compared byte for byte with the parent URLs of casts')
      .option('--remove', 'removes it', false),
  input: ({ args, options }) => ({
    id: idOf(args[0]),
    url: readParentUrl(args[1]),
    isRemoval: options.remove === true,
  }),
  run: async ({ openCore }, { id, url, isRemoval }, output) => {
    const { addSpelling, removeSpelling } = await import('../../channel/manage.js');
    const { db, changed } = await openCore();
    await db.transaction((session) => (isRemoval ? removeSpelling : addSpelling)(session, id, url));
    changed(INVALIDATE_ALL);
    output.result({ id, url, removed: isRemoval });
    output.note(`Casts under ${url} ${isRemoval ? 'no longer belong' : 'belong'} to the channel ${id}.`);
  },
});
