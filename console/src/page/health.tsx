import type { ResponseOf } from '../api/client.js';
import { type Health as HealthState, useHealth } from '../api/health.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { READINESS } from '../part/attention.js';
import { Card, Chip, Page } from '../part/page.js';
import { Bones, Failure, Loading } from '../part/state.js';
import { formatDuration } from '../part/text.js';
import { TimeAgo } from '../part/time.js';

const WORDS: Readonly<Record<string, string>> = {
  database: 'The database answers',
  writes: 'The database can be written',
  migrations: 'The tables are those of this version',
  ingest: 'Messages of the network are taken in',
};

type PastFailure = ResponseOf<'/operator/readiness', 'get'>['failures'][number];

const FailureRow = ({ check, problem, began_at: beganAt, ended_at: endedAt }: PastFailure) => (
  <div>
    <Chip tone={endedAt === null ? 'bad' : 'plain'}>{endedAt === null ? 'Fails' : 'Failed'}</Chip>
    <div class="grow">
      <b>{check}</b>
      <div class="soft small">{problem}</div>
    </div>
    <span class="faint small nowrap">
      <TimeAgo at={beganAt} />,{' '}
      {endedAt === null ? 'still' : `for ${formatDuration(new Date(beganAt), new Date(endedAt))}`}
    </span>
  </div>
);

/** When checks failed, for those who run the service. */
const History = () => {
  const read = useApi('/operator/readiness', undefined, { every: 10_000 });
  return (
    <Card
      title="Last day of one process"
      aside={
        read.data ? (
          <span class="faint small">
            it began <TimeAgo at={read.data.since} />
          </span>
        ) : null
      }
    >
      <p class="soft small facts">
        As the process remembers it that answered: each process of the service has a memory of its own, and a restart
        ends it.
      </p>
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

const Checks = ({ health }: { readonly health: HealthState | undefined }) => {
  if (health === undefined) return <Bones rows={3} />;
  if (health.failure) return <Failure what="Readiness" error={health.failure} />;
  return (
    <div class="list">
      {Object.entries(health.checks).map(([name, { ok, problem, note }]) => (
        <div key={name}>
          <Chip tone={ok ? 'ok' : 'bad'}>{ok ? 'Holds' : 'Fails'}</Chip>
          <div class="grow">
            <b>{name}</b>
            <div class="soft small">{problem ?? note ?? WORDS[name] ?? ''}</div>
          </div>
        </div>
      ))}
    </div>
  );
};

/** What the service checks about itself before it takes requests. */
export const Health = () => {
  const health = useHealth(5_000);
  return (
    <Page
      title={health === undefined ? 'Health' : READINESS[health.status]}
      note={health === undefined ? undefined : NOTES[health.status]}
    >
      <Card title="Checks">
        <Checks health={health} />
      </Card>
      {may('operator') ? <History /> : null}
    </Page>
  );
};
