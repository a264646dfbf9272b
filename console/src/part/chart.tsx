import { formatNumber } from './text.js';

export interface Bar {
  /** Below it. */
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

const WIDTH = 720;
const HEIGHT = 190;
const FOOT = 20;

/** Stacked bars, one a day; each part says its value when pointed at. Read as a table by those who cannot see it. */
export const BarChart = ({ bars, names }: { readonly bars: readonly Bar[]; readonly names: readonly string[] }) => {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(1, ...sums);
  const step = WIDTH / Math.max(1, bars.length);
  const height = (value: number): number => (value / most) * (HEIGHT - FOOT - 8);
  const every = Math.ceil(bars.length / 8);
  return (
    <figure class="chart-figure">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Compute units a day">
        {bars.map(({ label, parts }, n) => {
          let top = HEIGHT - FOOT;
          return (
            <g key={label}>
              {parts.map(({ name, value }) => {
                top -= height(value);
                return (
                  <rect
                    key={name}
                    class={`series s${(names.indexOf(name) % 5) + 1}`}
                    x={n * step + step * 0.12}
                    y={top}
                    width={step * 0.76}
                    height={height(value)}
                  >
                    <title>{`${label}, ${name}: ${formatNumber(value)}`}</title>
                  </rect>
                );
              })}
              {n % every === 0 ? (
                <text class="axis" x={n * step + step / 2} y={HEIGHT - 5} text-anchor="middle">
                  {label.slice(5)}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
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
