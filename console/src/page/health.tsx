import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { READINESS } from '../part/attention.js';
import { Card, Chip, Page } from '../part/page.js';
import { Loading } from '../part/state.js';
import { formatAgo } from '../part/text.js';
import { Time } from '../part/time.js';

const WORDS: Readonly<Record<string, string>> = {
  database: 'The database answers',
  writes: 'The database can be written',
  migrations: 'The tables are those of this version',
  ingest: 'Messages of the network are taken in',
};

type Failure = ResponseOf<'/operator/readiness', 'get'>['failures'][number];

const FailureRow = ({ check, problem, began_at: beganAt, ended_at: endedAt }: Failure) => (
  <div>
    <Chip tone={endedAt === null ? 'bad' : 'plain'}>{endedAt === null ? 'Fails' : 'Failed'}</Chip>
    <div class="grow">
      <b>{check}</b>
      <div class="soft small">{problem}</div>
    </div>
    <span class="faint small nowrap">
      <Time at={beganAt} class="" />,{' '}
      {endedAt === null ? 'still' : `for ${formatAgo(new Date(beganAt), new Date(endedAt))}`}
    </span>
  </div>
);

/** When checks failed, for those who run the service. */
const History = () => {
  const read = useApi('/operator/readiness', undefined, { every: 10_000 });
  return (
    <Card
      title="Last day"
      aside={
        read.data ? (
          <span class="faint small">
            since the start, <Time at={read.data.since} class="" />
          </span>
        ) : null
      }
    >
      <Loading read={read} what="What failed" rows={2}>
        {({ failures }) => (
          <div class="list">
            {failures.length === 0 ? <div class="soft">No check failed.</div> : null}
            {failures.map((one) => (
              <FailureRow key={`${one.check} ${one.began_at}`} {...one} />
            ))}
          </div>
        )}
      </Loading>
    </Card>
  );
};

const NOTES = {
  ready: 'Load balancers ask the same at /health/ready, monitoring at /health/fresh.',
  late: 'Reads are answered from what is stored; new data is late, or writes are refused. Only /health/fresh fails.',
  unavailable: 'Load balancers send requests elsewhere.',
} as const;

/** What the service checks about itself before it takes requests. */
export const Health = () => {
  const read = useApi('/health/ready', undefined, { every: 5_000 });
  const checks = Object.entries(read.data?.checks ?? {});
  const status = read.data?.status;
  return (
    <Page title={status === undefined ? 'Health' : READINESS[status]} note={NOTES[status ?? 'ready']}>
      <Card title="Checks">
        <Loading read={read} what="Readiness" rows={3}>
          {() => (
            <div class="list">
              {checks.map(([name, { ok, problem, note }]) => (
                <div key={name}>
                  <Chip tone={ok ? 'ok' : 'bad'}>{ok ? 'Holds' : 'Fails'}</Chip>
                  <div class="grow">
                    <b>{name}</b>
                    <div class="soft small">{problem ?? note ?? WORDS[name] ?? ''}</div>
                  </div>
                </div>
              ))}
            </div>
          )}
        </Loading>
      </Card>
      {may('operator') ? <History /> : null}
    </Page>
  );
};
