import { useApi } from '../api/query.js';
import { Card, Chip, Page } from '../part/page.js';
import { Loading } from '../part/state.js';
import { counted, formatBytes, formatNumber } from '../part/text.js';
import { Time } from '../part/time.js';

/** What the service does by itself, and what that takes on disk. */
export const Jobs = () => {
  const read = useApi('/operator/status', undefined, { every: 10_000 });
  const running = read.data?.jobs.filter(({ is_running: isRunning }) => isRunning).length ?? 0;
  return (
    <Page
      title={read.data ? `${counted(read.data.jobs.length, 'job')}, ${running} running now` : 'Jobs'}
      note={read.data ? `The database has ${formatBytes(read.data.database_bytes)}.` : undefined}
    >
      <Loading read={read} what="The status">
        {({ jobs, tables }) => (
          <div class="split">
            <Card title="Jobs">
              <div class="list">
                {jobs.map(({ name, began_at: beganAt, is_running: isRunning }) => (
                  <div key={name}>
                    <Chip tone={isRunning ? 'info' : 'plain'}>{isRunning ? 'Runs' : 'Waits'}</Chip>
                    <span class="grow mono">{name}</span>
                    <span class="faint small nowrap">
                      began <Time at={beganAt} class="" />
                    </span>
                  </div>
                ))}
              </div>
            </Card>
            <Card title="Largest tables">
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Table</th>
                      <th class="num">Rows, about</th>
                      <th class="num">Size</th>
                    </tr>
                  </thead>
                  <tbody>
                    {tables.map(({ name, rows, bytes }) => (
                      <tr key={name}>
                        <td class="mono">{name}</td>
                        <td class={`num${rows === 0 ? ' faint' : ''}`}>{formatNumber(rows)}</td>
                        <td class="num">{formatBytes(bytes)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </Card>
          </div>
        )}
      </Loading>
    </Page>
  );
};
