import { formatDay, formatNumber } from './text.js';

export interface Bar {
  /** The day, as 2026-11-29. */
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

const WIDTH = 960;
const HEIGHT = 220;
const LEFT = 52;
const FOOT = 24;
const HEAD = 10;
const BOTTOM = HEIGHT - FOOT;
const MAX_LINES = 4;
/** Days with a label, at most. */
const MAX_LABELS = 8;
/** Of a bar: a single day must not fill the page. */
const MAX_WIDTH = 48;
const GAP = 1.5;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
/** @returns the distance of the lines of an axis to `most`: 1, 2 or 5 times a power of ten, so that there are few */
const lineStep = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(most / MAX_LINES));
  return Math.max(1, ([1, 2, 5, 10].find((one) => one * power * MAX_LINES >= most) ?? 10) * power);
};

/** Stacked bars, one a day; each part says its value when pointed at. */
export const BarChart = ({ bars, names }: { readonly bars: readonly Bar[]; readonly names: readonly string[] }) => {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const lines = lineStep(most);
  const top = Math.ceil(most / lines) * lines;
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const width = Math.min(MAX_WIDTH, step * 0.7);
  const height = (value: number): number => (value / top) * (BOTTOM - HEAD);
  const every = Math.ceil(bars.length / MAX_LABELS);
  return (
    <figure class="chart-figure">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, which must be possible by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Units a day">
        <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Compute units a day">
          {Array.from({ length: top / lines + 1 }, (_, n) => (
            <g key={n}>
              <line
                class="grid-line"
                x1={LEFT}
                x2={WIDTH}
                y1={BOTTOM - height(n * lines)}
                y2={BOTTOM - height(n * lines)}
              />
              {n > 0 ? (
                <text class="axis" x={LEFT - 10} y={BOTTOM - height(n * lines) + 4} text-anchor="end">
                  {compact.format(n * lines)}
                </text>
              ) : null}
            </g>
          ))}
          {bars.map(({ label, parts }, n) => {
            const middle = LEFT + (n + 0.5) * step;
            let foot = BOTTOM;
            return (
              <g key={label}>
                {parts.map(({ name, value }) => {
                  foot -= height(value);
                  return (
                    <rect
                      key={name}
                      class={`series s${(names.indexOf(name) % 5) + 1}`}
                      x={middle - width / 2}
                      y={foot}
                      width={width}
                      height={Math.max(0, height(value) - GAP)}
                      rx={2}
                    >
                      <title>{`${formatDay(label)}, ${name}: ${formatNumber(value)}`}</title>
                    </rect>
                  );
                })}
                {n % every === 0 ? (
                  <text class="axis" x={middle} y={HEIGHT - 6} text-anchor="middle">
                    {formatDay(label)}
                  </text>
                ) : null}
              </g>
            );
          })}
        </svg>
      </section>
      <figcaption class="legend">
        {names.map((name, n) => (
          <span key={name}>
            <i class={`dot s${(n % 5) + 1}`} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};
