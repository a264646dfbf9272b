import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { type ResponseOf, urlOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { Card, Chip, Page } from '../part/page.js';
import { Prose } from '../part/prose.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';

type Variable = ResponseOf<'/operator/configuration', 'get'>['variables'][number];

/** @returns the text of Markdown with its links as their words */
const plain = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');

const fits = ({ name, description, group }: Variable, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${name} ${description} ${group}`.toLowerCase().includes(word));

const grouped = (variables: readonly Variable[]): [string, Variable[]][] => {
  const groups = new Map<string, Variable[]>();
  for (const one of variables) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups];
};

const Value = ({ variable }: { readonly variable: Variable }) => {
  const { value, is_secret: isSecret, is_default: isDefault } = variable;
  if (isSecret) return <Chip tone="info">Set, secret</Chip>;
  return (
    <>
      {value === null ? <span class="faint">Not set</span> : <code>{value}</code>}
      {isDefault ? (
        <div class="faint small">
          {value === variable.default ? 'by default' : <Prose text={`default: ${plain(variable.default)}`} />}
        </div>
      ) : null}
    </>
  );
};

/** What the service runs with, and what each variable means. */
export const Configuration = () => {
  const { query, route } = useLocation();
  const read = useApi('/operator/configuration');
  const words = query.words ?? '';
  const isSetOnly = query.set === 'true';
  const go = (next: Readonly<Record<string, string | undefined>>): void =>
    route(urlOf(`${CONSOLE}/configuration`, { ...query, ...next }), true);
  const all = read.data?.variables ?? [];
  const set = all.filter(({ is_default: isDefault }) => !isDefault).length;
  return (
    <Page
      title={read.data ? `${set} of ${counted(all.length, 'variable')} are set` : 'Configuration'}
      note="Variables of the environment, read once at the start. Secrets are never shown."
    >
      <div class="row">
        <input
          class="input grow"
          type="search"
          aria-label="Variable"
          placeholder="Words of a name or of its meaning: port, hub, limit"
          value={words}
          onInput={({ currentTarget }) => go({ words: currentTarget.value })}
        />
        <button
          type="button"
          class={`button${isSetOnly ? ' on' : ''}`}
          aria-pressed={isSetOnly}
          onClick={() => go({ set: isSetOnly ? undefined : 'true' })}
        >
          Only what is set
        </button>
      </div>
      <Loading read={read} what="The configuration">
        {({ variables }) => {
          const groups = grouped(variables.filter((one) => fits(one, words) && (!isSetOnly || !one.is_default)));
          if (groups.length === 0)
            return (
              <Card>
                <Empty title="No variable fits">{isSetOnly ? 'Look at all of them.' : 'Try a part of its name.'}</Empty>
              </Card>
            );
          return groups.map(([title, list]) => (
            <Card key={title} title={title.replaceAll('`', '')}>
              <div class="list">
                {list.map((one) => (
                  <div key={one.name} class="variable">
                    <div>
                      <b class="mono">{one.name}</b> {one.is_default ? null : <Chip tone="plain">Set</Chip>}
                      <div class="soft small">
                        <Prose text={plain(one.description)} />
                      </div>
                    </div>
                    <div class="value">
                      <Value variable={one} />
                    </div>
                  </div>
                ))}
              </div>
            </Card>
          ));
        }}
      </Loading>
    </Page>
  );
};
