import { useState } from 'preact/hooks';
import { write } from '../api/client.js';
import { refresh, useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { may, type Session, session } from '../api/session.js';
import { DangerousAction, Problem, useAction } from '../part/action.js';
import { CopyButton } from '../part/copy.js';
import { Card, Chip, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { TextField } from '../part/text-field.js';
import { Time } from '../part/time.js';

type Key = components['schemas']['ApiKey'];
type Scope = Session['scopes'][number];

const WORDS: Readonly<Record<Scope, string>> = {
  read: 'read casts, people, channels',
  write: 'cast, react, follow with signers',
  mute: 'mute, block and ban',
  seen: 'mark notifications as seen',
  host: 'act as a host of mini apps',
  wallet: 'send transactions from wallets',
  portal: 'make, rotate and revoke keys, change plan and origins, see usage and requests',
  webhook: 'manage webhooks',
  operator: 'everything of this service',
};

const MAY = Object.entries(WORDS) as readonly (readonly [Scope, string])[];

const stateOf = ({ revoked_at: revoked, expires_at: end }: Key): readonly [tone: 'ok' | 'plain', words: string] => {
  if (revoked !== null) return ['plain', 'Revoked'];
  if (end !== null && new Date(end) <= new Date()) return ['plain', 'Ended'];
  return ['ok', 'Works'];
};

const NewKey = ({ made }: { readonly made: (secret: string) => void }) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(may('read') ? ['read'] : []));
  const { run, isBusy, error } = useAction();
  const toggle = (scope: string): void => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  };
  const create = () =>
    run(async () => {
      const { secret } = await write('post', '/portal/keys', { name, scopes: [...scopes] as Scope[] });
      made(secret);
      setName('');
      await refresh('/portal/keys');
    });
  return (
    <form
      class="form pad"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        id="key-name"
        label="Name"
        required
        maxLength={100}
        value={name}
        placeholder="What will use it: website, bot, laptop"
        change={setName}
      />
      <fieldset class="field">
        <legend>It may</legend>
        <div class="choices">
          {MAY.filter(([scope]) => may(scope)).map(([scope, words]) => (
            <label key={scope} class="choice">
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              <span>
                <b>{scope}</b> <span class="faint small">{words}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Problem text={error} />
      <div>
        <button type="submit" class="button first" disabled={isBusy || scopes.size === 0}>
          Create the key
        </button>
      </div>
    </form>
  );
};

const KeyRow = ({ one, made }: { readonly one: Key; readonly made: (secret: string) => void }) => {
  const [tone, words] = stateOf(one);
  const isOwn = session.value?.key_uuid === one.uuid;
  const rotate = async () => {
    const { secret } = await write('post', '/portal/key/rotate', { key_uuid: one.uuid });
    made(secret);
    await refresh('/portal/keys');
  };
  const revoke = async () => {
    await write('delete', '/portal/key', { key_uuid: one.uuid });
    await refresh('/portal/keys');
  };
  const { run, isBusy, error } = useAction();
  return (
    <tr>
      <td>
        <b>{one.name}</b> {isOwn ? <span class="faint small">this session</span> : null}
        <div class="faint small mono">{one.prefix}…</div>
      </td>
      <td>
        <Chip tone={tone}>{words}</Chip>
      </td>
      <td class="soft small">{one.scopes.join(', ')}</td>
      <td>{one.last_used_at ? <Time at={one.last_used_at} /> : <span class="faint small">never</span>}</td>
      <td>
        {tone === 'ok' ? (
          <div class="row">
            <button type="button" class="button" disabled={isBusy} onClick={() => void run(rotate)}>
              Rotate
            </button>
            <DangerousAction
              label="Revoke"
              effect={isOwn ? 'This ends your own session.' : 'Programs that use it get 401 at once.'}
              name={one.name}
              work={revoke}
            />
            <Problem text={error} />
          </div>
        ) : null}
      </td>
    </tr>
  );
};

/** Keys of the own app: make, rotate and revoke them. */
export const Keys = () => {
  const read = useApi('/portal/keys');
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const working = read.data?.keys.filter((one) => stateOf(one)[0] === 'ok').length;
  return (
    <Page
      title={working === undefined ? 'Keys' : `${counted(working, 'key')} ${working === 1 ? 'works' : 'work'}`}
      note={`Of the app ${session.value?.app_name}. A key is shown once; the service keeps only its hash.`}
      actions={
        <button type="button" class="button first" aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
          Create a key
        </button>
      }
    >
      {secret ? (
        <div class="note good" role="status">
          <div class="grow">
            <b>Copy the key now: it is not shown again</b>
            <div class="mono secret">{secret}</div>
          </div>
          <CopyButton text={secret} />
        </div>
      ) : null}
      {isMaking ? (
        <Card title="New key">
          <NewKey
            made={(made) => {
              setSecret(made);
              setMaking(false);
            }}
          />
        </Card>
      ) : null}
      <Card>
        <Loading read={read} what="The keys">
          {({ keys }) =>
            keys.length === 0 ? (
              <Empty title="No key yet" request="-X POST -d '{...}' $URL/portal/keys">
                A key lets a program in. It may only do what its scopes say.
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>State</th>
                      <th>May</th>
                      <th>Last used</th>
                      <th>
                        <span class="unseen">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {keys.map((one) => (
                      <KeyRow key={one.uuid} one={one} made={setSecret} />
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
