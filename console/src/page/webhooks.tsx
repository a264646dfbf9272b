import { useState } from 'preact/hooks';
import { type BodyOf, write } from '../api/client.js';
import { refresh, useApi } from '../api/query.js';
import { Problem, useAction } from '../part/action.js';
import { BACKLOGS } from '../part/backlog.js';
import { FilterPreview } from '../part/filter-preview.js';
import { Inbox } from '../part/inbox.js';
import { webhookPath } from '../part/link.js';
import { Card, Chip, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { TextField } from '../part/text-field.js';
import { Time } from '../part/time.js';

type Subscription = NonNullable<BodyOf<'/v2/social/webhook/', 'post'>['subscription']>;

const TYPES: Readonly<Record<string, string>> = {
  'cast.created': 'somebody casts',
  'cast.deleted': 'a cast is removed',
  'reaction.created': 'somebody likes or recasts',
  'reaction.deleted': 'a like or recast is taken back',
  'follow.created': 'somebody follows',
  'follow.deleted': 'somebody unfollows',
  'user.created': 'an account comes',
  'user.updated': 'a profile changes',
};

/** What else stands in a list of accounts would be left out, and the webhook would get every cast. */
const NUMBERS = '\\s*([1-9]\\d*([\\s,]+[1-9]\\d*)*[\\s,]*)?';

const numbersOf = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .map(Number)
    .filter((one) => Number.isInteger(one) && one > 0);

const NewWebhook = ({ inbox, made }: { readonly inbox: string | null | undefined; readonly made: () => void }) => {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(['cast.created']));
  const [authors, setAuthors] = useState('');
  const [mentioned, setMentioned] = useState('');
  const [text, setText] = useState('');
  const { run, isBusy, error } = useAction();
  const subscriptionOf = (): Subscription => {
    const cast = {
      ...(numbersOf(authors).length > 0 && { author_fids: numbersOf(authors) }),
      ...(numbersOf(mentioned).length > 0 && { mentioned_fids: numbersOf(mentioned) }),
      ...(text === '' ? {} : { text }),
    };
    return Object.fromEntries([...types].map((type) => [type, type.startsWith('cast.') ? cast : {}])) as Subscription;
  };
  const create = () =>
    run(async () => {
      await write('post', '/v2/social/webhook/', { name, url, subscription: subscriptionOf() });
      await refresh('/v2/social/webhook/list/', BACKLOGS);
      made();
    });
  const toggle = (type: string): void => {
    const next = new Set(types);
    if (!next.delete(type)) next.add(type);
    setTypes(next);
  };
  const isForCasts = [...types].some((type) => type.startsWith('cast.'));
  return (
    <form
      class="form pad"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <div class="two">
        <TextField id="hook-name" label="Name" required value={name} change={setName} placeholder="orders" />
        <div class="form tight">
          <TextField
            id="hook-url"
            label="Send to"
            type="url"
            required
            value={url}
            change={setUrl}
            placeholder="https://bot.example/events"
          />
          {inbox ? (
            <div>
              <button type="button" class={`button${url === inbox ? ' on' : ''}`} onClick={() => setUrl(inbox)}>
                Receive it here
              </button>
            </div>
          ) : null}
        </div>
      </div>
      <fieldset class="field">
        <legend>When</legend>
        <div class="choices">
          {Object.entries(TYPES).map(([type, words]) => (
            <label key={type} class="choice">
              <input type="checkbox" checked={types.has(type)} onChange={() => toggle(type)} />
              <span>
                {words} <span class="faint small mono">{type}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {isForCasts ? (
        <fieldset class="field">
          <legend>Which casts</legend>
          <p class="soft small">
            One of these is enough: a cast is sent if it is of such an account, or mentions one, or has such a text. All
            empty: every cast.
          </p>
          <div class="two">
            <TextField
              id="hook-authors"
              label="Casts of accounts"
              value={authors}
              change={setAuthors}
              pattern={NUMBERS}
              help="Numbers, separated by commas."
            />
            <TextField
              id="hook-mentioned"
              label="or casts that mention accounts"
              value={mentioned}
              change={setMentioned}
              pattern={NUMBERS}
              help="Numbers, separated by commas."
            />
            <TextField
              id="hook-text"
              label="or casts with this text"
              value={text}
              change={setText}
              help="A regular expression, such as (?i)tomato."
            />
          </div>
        </fieldset>
      ) : null}
      {types.size > 0 ? <FilterPreview subscription={subscriptionOf()} /> : null}
      <Problem text={error} />
      <div>
        <button type="submit" class="button first" disabled={isBusy || types.size === 0}>
          Create the webhook
        </button>
      </div>
    </form>
  );
};

/** The webhooks of the app, and a form for another one. */
export const Webhooks = () => {
  const read = useApi('/v2/social/webhook/list/', undefined, { every: 15_000 });
  // Whether there is an inbox does not change; it reads itself again.
  const inbox = useApi('/portal/webhook-inbox');
  const [isMaking, setMaking] = useState(false);
  const webhooks = read.data?.webhooks ?? [];
  const on = webhooks.filter(({ active }) => active).length;
  return (
    <Page
      title={read.data ? (webhooks.length === 0 ? 'No webhook yet' : `${counted(on, 'webhook')} on`) : 'Webhooks'}
      note="Events of the network, sent to your server as they happen, signed, and tried again for a day."
      actions={
        <button type="button" class="button first" aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
          Create a webhook
        </button>
      }
    >
      {isMaking ? (
        <Card title="New webhook">
          <NewWebhook inbox={inbox.data?.url} made={() => setMaking(false)} />
        </Card>
      ) : null}
      <Card>
        <Loading read={read} what="The webhooks">
          {() =>
            webhooks.length === 0 ? (
              <Empty
                title="Nothing is sent anywhere"
                request={`-H 'content-type: application/json' -d '{"name":"first","url":"https://bot.example/events","subscription":{"cast.created":{}}}' $URL/v2/social/webhook/`}
              >
                A webhook tells your server what happens, so that it need not ask.
              </Empty>
            ) : (
              <div class="list">
                {webhooks.map((one) => (
                  <a key={one.webhook_id} href={webhookPath(one.webhook_id)}>
                    <Chip tone={one.active ? 'ok' : 'plain'}>{one.active ? 'On' : 'Off'}</Chip>
                    <span class="grow">
                      <b>{one.title}</b>
                      <div class="faint small mono cut">{one.target_url}</div>
                    </span>
                    <span class="faint small nowrap">
                      made <Time at={one.created_at} class="" />
                    </span>
                  </a>
                ))}
              </div>
            )
          }
        </Loading>
      </Card>
      {inbox.data?.url ? <Inbox url={inbox.data.url} /> : null}
    </Page>
  );
};
