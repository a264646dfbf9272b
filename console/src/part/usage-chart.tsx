import type { ResponseOf } from '../api/client.js';
import { BarChart } from './chart.js';

type Usage = ResponseOf<'/portal/organization/usage', 'get'>;

/** Operations that have a colour of their own; the others share one. */
const MAX_SERIES = 4;
const OTHERS = 'other operations';
const DAY_MS = 86_400_000;

const daysBetween = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from.slice(0, 10)); at <= Date.parse(to.slice(0, 10)); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

/** @param dearest operations, the one with the most units first. @returns the names of the series of the chart */
export const seriesOf = (dearest: readonly string[]): readonly string[] =>
  dearest.length > MAX_SERIES ? [...dearest.slice(0, MAX_SERIES), OTHERS] : dearest;

/** @returns the number of the colour of an operation, from 1 */
export const colourOf = (operation: string, series: readonly string[]): number =>
  (series.includes(operation) ? series.indexOf(operation) : series.length - 1) + 1;

/**
 * Compute units by day, in the colours of the dearest operations.
 * @param until the last day to show: days that are to come stay empty
 */
export const UsageChart = ({
  usage,
  series,
  until,
}: {
  readonly usage: Usage;
  readonly series: readonly string[];
  readonly until: string;
}) => {
  const bars = daysBetween(usage.from, until).map((day) => {
    const values = new Map<string, number>();
    for (const { operation = 'unknown', computeUnits } of usage.usage.filter((one) => one.day === day)) {
      const name = series.includes(operation) ? operation : OTHERS;
      values.set(name, (values.get(name) ?? 0) + computeUnits);
    }
    return { label: day, parts: series.map((name) => ({ name, value: values.get(name) ?? 0 })) };
  });
  return <BarChart bars={bars} names={series} />;
};
