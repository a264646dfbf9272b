import type { Environment } from './env.js';

/** One thing wrong with a configuration: the variable, what is wrong with it, and what to do. Never its value if secret. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** All problems of a configuration at once, so that nobody mends them one start at a time. The process exits 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, problem }) => `  ${variable}: ${problem}`);
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Reads variables one by one and collects what is wrong with them; a wrong one reads as its default meanwhile. */
export class ConfigReader {
  readonly problems: ConfigProblem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  problem(variable: string, problem: string): void {
    this.problems.push({ variable, problem });
  }

  /** @returns the trimmed text; an empty variable counts as absent (compose files set those). */
  text(variable: string): string | undefined {
    const value = this.#environment[variable]?.trim();
    return value === '' ? undefined : value;
  }

  integer(variable: string, fallback: number, minimum: number, maximum: number): number {
    const value = this.text(variable);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    this.problem(variable, `"${value}" is not a whole number from ${minimum} to ${maximum}.`);
    return fallback;
  }

  /** @returns a TCP port; undefined for `off` and 0. */
  port(variable: string, fallback: number | undefined): number | undefined {
    const text = this.text(variable)?.toLowerCase();
    if (text === undefined || text === 'off' || text === '0') return text === undefined ? fallback : undefined;
    return this.integer(variable, fallback ?? 0, 1, 65_535) || undefined;
  }

  oneOf<Choice extends string>(variable: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(variable);
    if (value === undefined) return fallback;
    const choice = choices.find((one) => one === value.toLowerCase());
    if (choice === undefined) this.problem(variable, `"${value}" is none of ${choices.join(', ')}.`);
    return choice ?? fallback;
  }

  flag(variable: string): boolean {
    return this.oneOf(variable, ['true', 'false', '1', '0'], 'false') === 'true' || this.text(variable) === '1';
  }

  /** @throws ConfigError when anything was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}
