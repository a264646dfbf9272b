import { counted } from './text.js';

export interface Minute {
  /** ISO 8601. */
  readonly at: string;
  readonly value: number;
  /** Part of the value that is wrong. */
  readonly wrong?: number;
}

const STEP = 10;
const HEIGHT = 34;

/** A bar for each minute, for the eye; the figure beside it says the same in words. */
export const MinuteChart = ({
  label,
  one,
  minutes,
}: {
  readonly label: string;
  /** What is counted: `request`. */
  readonly one: string;
  readonly minutes: readonly Minute[];
}) => {
  const most = Math.max(1, ...minutes.map(({ value }) => value));
  const height = (value: number): number => (value === 0 ? 0 : Math.max(1.5, (value / most) * (HEIGHT - 1)));
  return (
    <svg
      class="minutes"
      viewBox={`0 0 ${Math.max(1, minutes.length) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="base" x={0} y={HEIGHT - 0.5} width={minutes.length * STEP} height={0.5} />
      {minutes.map(({ at, value, wrong = 0 }, n) => (
        <g key={at}>
          <title>
            {`${new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}: ${counted(value, one)}`}
            {wrong > 0 ? `, ${wrong} failed` : ''}
          </title>
          <rect class="all" x={n * STEP + 1} y={HEIGHT - height(value)} width={STEP - 2} height={height(value)} />
          <rect class="wrong" x={n * STEP + 1} y={HEIGHT - height(wrong)} width={STEP - 2} height={height(wrong)} />
        </g>
      ))}
    </svg>
  );
};
