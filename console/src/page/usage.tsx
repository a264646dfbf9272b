import { useLocation } from 'preact-iso';
import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { BarChart } from '../part/chart.js';
import { saveCsv } from '../part/csv.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { formatNumber } from '../part/text.js';

type Usage = ResponseOf<'/portal/organization/usage', 'get'>;

/** Plans without a limit have this one. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const PERIODS = { '7': 'Last 7 days', '30': 'Last 30 days', period: 'This period' } as const;
/** Operations that have a colour of their own; the others are one. */
const MAX_SERIES = 4;

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

const daysBetween = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

const Chart = ({ usage, dearest }: { readonly usage: Usage; readonly dearest: readonly string[] }) => {
  const names = [...dearest.slice(0, MAX_SERIES), ...(dearest.length > MAX_SERIES ? ['other operations'] : [])];
  const bars = daysBetween(usage.from, usage.to).map((day) => {
    const values = new Map<string, number>();
    for (const row of usage.usage.filter((one) => one.day === day)) {
      const id = row.operation ?? 'unknown';
      const name = names.includes(id) ? id : 'other operations';
      values.set(name, (values.get(name) ?? 0) + row.computeUnits);
    }
    return { label: day, parts: names.map((name) => ({ name, value: values.get(name) ?? 0 })) };
  });
  return <BarChart bars={bars} names={names} />;
};

const sentenceOf = ({ computeUnitsUsed: used, computeUnitsLimit: limit, period }: Usage): string => {
  if (limit >= UNLIMITED) return `${formatNumber(used)} units used, without a limit`;
  const share = Math.round((used / limit) * 100);
  const left = Math.max(0, Math.ceil((Date.parse(period.end) - Date.now()) / 86_400_000));
  return `${share}% of the units are used, with ${left} ${left === 1 ? 'day' : 'days'} to go`;
};

/** Compute units by day and operation. */
export const Usage = () => {
  const { query, path } = useLocation();
  const chosen = query.days !== undefined && query.days in PERIODS ? (query.days as keyof typeof PERIODS) : 'period';
  const days = chosen === 'period' ? {} : { from: dayOf(Number(chosen) - 1), to: dayOf(0) };
  const read = useApi('/portal/organization/usage', { ...days, group: 'day,operation' } as never, { every: 30_000 });
  const { data } = read;
  const sums = data ? [...unitsBy(data.usage, 'operation')].sort(([, one], [, other]) => other.units - one.units) : [];
  return (
    <Page
      title={data ? sentenceOf(data) : 'Usage'}
      note={
        data ? `Plan ${data.plan}, ${data.period.start.slice(0, 10)} to ${data.period.end.slice(0, 10)}.` : undefined
      }
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
                <Chart usage={usage} dearest={sums.map(([name]) => name)} />
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
                  <th class="num">Calls</th>
                  <th class="num">Units</th>
                  <th class="num">Share</th>
                </tr>
              </thead>
              <tbody>
                {sums.map(([name, { units, calls }]) => (
                  <tr key={name}>
                    <td class="mono">{name}</td>
                    <td class="num">{formatNumber(calls)}</td>
                    <td class="num">{formatNumber(units)}</td>
                    <td class="num">{Math.round((units / Math.max(1, data?.total.computeUnits ?? 1)) * 100)}%</td>
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
