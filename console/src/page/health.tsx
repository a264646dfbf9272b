import { useApi } from '../api/query.js';
import { Card, Chip, Page } from '../part/page.js';
import { Loading } from '../part/state.js';

const WORDS: Readonly<Record<string, string>> = {
  database: 'The database answers and can be written',
  migrations: 'The tables are those of this version',
  ingest: 'Messages of the network are taken in',
};

/** What the service checks about itself before it takes requests. */
export const Health = () => {
  const read = useApi('/health/ready', undefined, { every: 5_000 });
  const checks = Object.entries(read.data?.checks ?? {});
  const wrong = checks.filter(([, { ok }]) => !ok).length;
  return (
    <Page
      title={read.data === undefined ? 'Health' : wrong === 0 ? 'The service is ready' : 'The service is not ready'}
      note={
        wrong === 0
          ? 'Load balancers ask the same at /health/ready.'
          : `${wrong === 1 ? 'One check fails' : `${wrong} checks fail`}: requests are refused or late.`
      }
    >
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
    </Page>
  );
};
