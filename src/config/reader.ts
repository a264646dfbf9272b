import type { Environment } from './env.js';
import { unknownVariables } from './unknown-variable.js';
import { VARIABLES, type ValueOf, type VariableName } from './variable.js';
import type { Profile } from './variable-row.js';

/** What is wrong with a variable and what to do. It contains the value only if that is no secret. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** All problems of a configuration, so that an operator can fix them at once. The process exits with status 2. */
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

/** Reads variables and collects what is wrong with them; an invalid one has its default value until `finish` throws. */
export class ConfigReader {
  readonly problems: ConfigProblem[] = [];
  readonly #environment: Environment;
  readonly #profile: Profile;

  constructor(environment: Environment, profile: Profile) {
    this.#environment = environment;
    this.#profile = profile;
  }

  problem(variable: VariableName, problem: string): void {
    this.problems.push({ variable, problem });
  }

  /** @returns the trimmed text; undefined for an empty variable, because compose files pass unset ones as empty. */
  text(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  /** Reports an invalid text, so call it once for each variable. */
  get<Name extends VariableName>(name: Name): ValueOf<Name> {
    const { parse, defaults } = VARIABLES[name];
    const text = this.text(name);
    const value = text === undefined ? undefined : parse(text, (problem) => void this.problem(name, problem));
    return (value ?? defaults[this.#profile]) as ValueOf<Name>;
  }

  /** @throws ConfigError if there was a problem, also an unknown variable */
  finish(): void {
    this.problems.push(...unknownVariables(this.#environment));
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}
