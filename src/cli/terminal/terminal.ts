import { Presets, SingleBar } from 'cli-progress';
import type { OutputEvent } from './output.js';

/** Seconds between two progress lines where no bar can be drawn (logs, pipes). */
const PLAIN_INTERVAL = 5;

type ProgressEvent = Extract<OutputEvent, { type: 'progress' }>;

const amount = (event: ProgressEvent): string => {
  const done = event.done.toLocaleString('en-US');
  if (event.total === undefined) return `${done} ${event.unit}`;
  const percent = event.total === 0 ? 100 : Math.floor((event.done / event.total) * 100);
  return `${done} of ${event.total.toLocaleString('en-US')} ${event.unit} (${percent}%)`;
};

/**
 * Prints events: results to standard output; remarks and progress to standard error, so that pipes contain only
 * results.
 */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  #bar: SingleBar | undefined;
  #lastPlain = 0;

  constructor(out: NodeJS.WriteStream = process.stdout, err: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#err = err;
  }

  print(event: OutputEvent): void {
    if (event.type !== 'progress') {
      this.finish();
      (event.type === 'line' ? this.#out : this.#err).write(`${event.text}\n`);
    } else if (this.#err.isTTY) this.#draw(event);
    else this.#report(event);
  }

  /** Keeps a drawn bar and continues below it. */
  finish(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #draw(event: ProgressEvent): void {
    const total = event.total ?? 0;
    if (!this.#bar) {
      const format =
        event.total === undefined
          ? ' {value} {unit}'
          : ' {bar} {percentage}% | {value}/{total} {unit} | {eta_formatted} left';
      this.#bar = new SingleBar({ format, stream: this.#err, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic);
      this.#bar.start(total, event.done, { unit: event.unit });
      return;
    }
    if (event.total !== undefined) this.#bar.setTotal(total);
    this.#bar.update(event.done, { unit: event.unit });
  }

  #report(event: ProgressEvent): void {
    const now = Date.now() / 1000;
    if (event.done !== event.total && now - this.#lastPlain < PLAIN_INTERVAL) return;
    this.#lastPlain = now;
    this.#err.write(`${amount(event)}\n`);
  }
}
