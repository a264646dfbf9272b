import { useLocation } from 'preact-iso';
import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { saveCsv } from '../part/csv.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { formatDay, formatNumber, isLimited } from '../part/text.js';
import { colourOf, seriesOf, UsageChart } from '../part/usage-chart.js';

type Usage = ResponseOf<'/portal/organization/usage', 'get'>;

/** @returns percent; a plan may have no units at all */
const shareOf = (used: number, limit: number): number => Math.round((used / Math.max(1, limit)) * 100);
const PERIODS = { '7': 'Last 7 days', '30': 'Last 30 days', period: 'This period' } as const;

const dayOf = (offset: number): string => new Date(Date.now() - offset * 86_400_000).toISOString().slice(0, 10);

const unitsBy = (usage: Usage['usage'], key: 'operation' | 'day'): Map<string, { units: number; calls: number }> => {
  const sums = new Map<string, { units: number; calls: number }>();
  for (const row of usage) {
    const name = row[key] ?? 'unknown';
    const sum = sums.get(name) ?? { units: 0, calls: 0 };
    sums.set(name, { units: sum.units + row.computeUnits, calls: sum.calls + row.calls });
  }
  return sums;
};

/** @returns the day before a period ends, which is when the next one begins */
const lastDayOf = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

const sentenceOf = ({ computeUnitsUsed: used, computeUnitsLimit: limit, period }: Usage): string => {
  if (!isLimited(limit)) return `${formatNumber(used)} units used, without a limit`;
  const share = shareOf(used, limit);
  const left = Math.max(0, Math.ceil((Date.parse(period.end) - Date.now()) / 86_400_000));
  return `${share}% of the units are used, with ${left} ${left === 1 ? 'day' : 'days'} to go`;
};

/** What the rest of the period would bring is said after this share of it. */
const MIN_ELAPSED = 0.1;

/** @returns what is true of the period: the plan, its days, and where it ends at this rate */
const noteOf = ({ plan, period, computeUnitsUsed: used, computeUnitsLimit: limit }: Usage): string => {
  const [start, end] = [Date.parse(period.start), Date.parse(period.end)];
  const days = `Plan ${plan}, ${formatDay(start)} to ${formatDay(end - 1)}.`;
  const elapsed = (Date.now() - start) / (end - start);
  if (!isLimited(limit) || elapsed < MIN_ELAPSED || elapsed > 1) return days;
  return `${days} At this rate the period ends at ${formatNumber(shareOf(used / elapsed, limit))}% of its units.`;
};

/** How much of the units of the period is used. */
const Share = ({ usage: { computeUnitsUsed: used, computeUnitsLimit: limit } }: { readonly usage: Usage }) => {
  if (!isLimited(limit)) return null;
  const share = shareOf(used, limit);
  return (
    <Card>
      <div class="pad share">
        <b>
          {formatNumber(used)} of {formatNumber(limit)} units
        </b>
        <span class="soft">{share}%</span>
        <div class="meter">
          <span style={{ width: `${Math.min(100, share)}%` }} />
        </div>
      </div>
    </Card>
  );
};

/** Compute units by day and operation. */
export const Usage = () => {
  const { query, path } = useLocation();
  const chosen = query.days !== undefined && query.days in PERIODS ? (query.days as keyof typeof PERIODS) : 'period';
  const days = chosen === 'period' ? {} : { from: dayOf(Number(chosen) - 1), to: dayOf(0) };
  const read = useApi('/portal/organization/usage', { ...days, group: 'day,operation' } as never, { every: 30_000 });
  const { data } = read;
  const sums = data ? [...unitsBy(data.usage, 'operation')].sort(([, one], [, other]) => other.units - one.units) : [];
  const series = seriesOf(sums.map(([name]) => name));
  const most = Math.max(1, sums[0]?.[1].units ?? 0);
  return (
    <Page
      title={data ? sentenceOf(data) : 'Usage'}
      note={data ? noteOf(data) : undefined}
      actions={
        <button
          type="button"
          class="button"
          disabled={!data}
          onClick={() =>
            saveCsv(
              'usage.csv',
              ['day', 'operation', 'calls', 'units'],
              (data?.usage ?? []).map(({ day, operation, calls, computeUnits }) => [
                day,
                operation,
                calls,
                computeUnits,
              ]),
            )
          }
        >
          Save as CSV
        </button>
      }
    >
      {data ? <Share usage={data} /> : null}
      <Card>
        <nav class="tabs" aria-label="Period">
          {Object.entries(PERIODS).map(([key, title]) => (
            <a key={key} href={`${path}?days=${key}`} aria-current={key === chosen ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Loading read={read} what="The usage">
          {(usage) =>
            usage.usage.length === 0 ? (
              <Empty title="Nothing was used" request="'$URL/v2/social/user/bulk/?fids=1'">
                Each request costs units by the work that it makes.
              </Empty>
            ) : (
              <div class="pad">
                <UsageChart
                  usage={usage}
                  series={series}
                  until={chosen === 'period' ? lastDayOf(usage.period.end) : usage.to}
                />
              </div>
            )
          }
        </Loading>
      </Card>
      {sums.length > 0 ? (
        <Card title="By operation">
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th>Operation</th>
                  <td class="share-bar" />
                  <th class="num">Share</th>
                  <th class="num">Calls</th>
                  <th class="num">Units</th>
                </tr>
              </thead>
              <tbody>
                {sums.map(([name, { units, calls }]) => (
                  <tr key={name}>
                    <td class="mono">{name}</td>
                    <td class="share-bar" aria-hidden="true">
                      <div class="meter thin">
                        <span class={`dot s${colourOf(name, series)}`} style={{ width: `${(units / most) * 100}%` }} />
                      </div>
                    </td>
                    <td class="num">{Math.round((units / Math.max(1, data?.total.computeUnits ?? 1)) * 100)}%</td>
                    <td class="num">{formatNumber(calls)}</td>
                    <td class="num">{formatNumber(units)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      ) : null}
    </Page>
  );
};
