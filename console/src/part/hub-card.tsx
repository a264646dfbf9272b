import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { Card, Chip } from './page.js';
import { Loading } from './state.js';
import { formatNumber } from './text.js';
import { Time } from './time.js';

type Hub = NonNullable<ResponseOf<'/operator/ingest', 'get'>['hub']>;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** @returns `about 5 hours` */
const roughly = (seconds: number): string => {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = Math.max(1, Math.round(seconds / size));
  return `about ${count} ${unit}${count === 1 ? '' : 's'}`;
};

const Progress = ({ sync }: { readonly sync: NonNullable<Hub['sync']> }) => {
  const { accounts_done: done, accounts_total: total, seconds_left: left } = sync;
  const percent = total === 0 ? 0 : (100 * done) / total;
  return (
    <div class="form">
      <div>
        <b>The history of the hub is being read.</b>{' '}
        <span class="soft">
          {formatNumber(done)} of {formatNumber(total)} accounts{left === null ? '' : `, ${roughly(left)} left`}
        </span>
      </div>
      <progress max={100} value={percent} aria-label="Accounts that were read">
        {Math.floor(percent)}%
      </progress>
    </div>
  );
};

const Stream = ({ stream }: { readonly stream: Hub['streams'][number] }) => (
  <div>
    <Chip tone={stream.is_connected ? 'ok' : 'bad'}>{stream.is_connected ? 'Open' : 'Closed'}</Chip>
    <div class="grow">
      <b>{stream.shard === 0 ? 'All accounts' : `Shard ${stream.shard}`}</b>
      <div class="soft small">
        {stream.lag_seconds === null
          ? 'Nothing has come yet'
          : stream.lag_seconds === 0
            ? 'Up to date'
            : `${formatNumber(stream.lag_seconds)} s behind the hub`}
      </div>
    </div>
    {stream.last_event_at === null ? null : (
      <span class="faint small nowrap">
        last event <Time at={stream.last_event_at} class="" />
      </span>
    )}
  </div>
);

/** The hub that the service follows: its streams, and how much of its history was read. */
export const HubCard = () => {
  const read = useApi('/operator/ingest', undefined, { every: 5_000 });
  return (
    <Card title="Hub">
      <Loading read={read} what="The hub" rows={2}>
        {({ hub }) => (
          <div class="list">
            {hub === null ? (
              <div class="soft">
                <span>
                  The service follows no hub: what it stores is its own. <code>CASTELLAN_HUB_URL</code> names one.
                </span>
              </div>
            ) : null}
            {hub?.sync ? <Progress sync={hub.sync} /> : null}
            {hub?.streams.length === 0 ? (
              <div>
                <Chip tone="bad">Away</Chip>
                <span class="grow soft">
                  The hub does not answer. It is asked again, and nothing is lost meanwhile.
                </span>
              </div>
            ) : null}
            {hub?.streams.map((stream) => (
              <Stream key={stream.shard} stream={stream} />
            ))}
          </div>
        )}
      </Loading>
    </Card>
  );
};
