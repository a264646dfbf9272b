import { SingleBar } from 'cli-progress';

/** Seconds between two lines where no bar can be drawn. */
const PLAIN_INTERVAL = 10;

/** A bar on a terminal, otherwise occasional lines; on standard error, so that standard output has only the table. */
export class Progress {
  #bar: SingleBar | undefined;
  #title = '';
  #total = 0;
  #done = 0;
  #unit = '';
  #lastLine = 0;

  start(title: string, total: number, unit: string): void {
    this.stop();
    this.#title = title;
    this.#total = total;
    this.#done = 0;
    this.#unit = unit;
    if (!process.stderr.isTTY) return;
    const format = `${title} [{bar}] {percentage}% | {value}/{total} {unit} | {rate} | {eta_formatted}`;
    this.#bar = new SingleBar({ format, stream: process.stderr, hideCursor: true });
    this.#bar.start(total, 0, { rate: '', unit });
  }

  add(count: number): void {
    this.set(this.#done + count);
  }

  /** @param rate per second, if it is to be shown */
  set(done: number, rate?: number): void {
    this.#done = done;
    const speed = rate === undefined ? '' : `${Math.round(rate).toLocaleString('en-US')}/s`;
    this.#bar?.update(done, { rate: speed, unit: this.#unit });
    const now = performance.now() / 1000;
    if (process.stderr.isTTY || (done < this.#total && now - this.#lastLine < PLAIN_INTERVAL)) return;
    this.#lastLine = now;
    process.stderr.write(`${this.#title}: ${done} of ${this.#total} ${this.#unit} ${speed}\n`);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
