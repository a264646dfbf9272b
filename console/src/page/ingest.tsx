import { useState } from 'preact/hooks';
import { write } from '../api/client.js';
import { refresh, usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { Problem, useAction } from '../part/action.js';
import { HubCard } from '../part/hub-card.js';
import { personPath } from '../part/link.js';
import { More } from '../part/more.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { Time } from '../part/time.js';

const LIST = '/operator/refused-items';

const Row = ({ item }: { readonly item: components['schemas']['RefusedItem'] }) => {
  const { run, isBusy, error } = useAction();
  const [isRefused, setRefused] = useState(false);
  const retry = () =>
    run(async () => {
      const { is_stored: isStored } = await write('post', '/operator/refused-items/retry', { id: item.id });
      setRefused(!isStored);
      await refresh(LIST, '/operator/status');
    });
  return (
    <tr>
      <td class="num">{item.id}</td>
      <td>
        {item.kind} of <a href={personPath(item.fid)}>account {item.fid}</a>
        <div class="faint small">from {item.source}</div>
      </td>
      <td class="reason">
        {item.reason} {item.sqlstate ? <span class="faint small">SQLSTATE {item.sqlstate}</span> : null}
      </td>
      <td class="num">{item.attempts}</td>
      <td>
        <Time at={item.last_refused_at} />
      </td>
      <td>
        <button type="button" class="button" disabled={isBusy} onClick={() => void retry()}>
          Try again
        </button>
        {isRefused ? (
          <div class="soft small" role="status">
            Refused again
          </div>
        ) : null}
        <Problem text={error} />
      </td>
    </tr>
  );
};

/** Items of hubs and files that could not be stored. */
export const Ingest = () => {
  const read = usePages(LIST, { limit: 50 });
  const items = read.data?.pages.flatMap((page) => page.items) ?? [];
  const isMore = read.hasNextPage;
  const title =
    items.length === 0
      ? 'Everything that came was stored'
      : `${counted(items.length, 'item')}${isMore ? ' and more' : ''} could not be stored`;
  return (
    <Page
      title={read.data ? title : 'Ingest'}
      note="What a hub or a file brings and the database refuses is kept here, with the reason, until it can be stored."
    >
      <HubCard />
      <Card title="Refused items">
        <Loading read={read} what="The refused items">
          {() =>
            items.length === 0 ? (
              <Empty title="Nothing was refused">
                Should a message ever not fit, it shows here, and nothing of the network is lost.
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th class="num">Id</th>
                      <th>What</th>
                      <th>Why</th>
                      <th class="num">Attempts</th>
                      <th>Last</th>
                      <th>
                        <span class="unseen">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((item) => (
                      <Row key={item.id} item={item} />
                    ))}
                  </tbody>
                </table>
                <More pages={read} />
              </div>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
