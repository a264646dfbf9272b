import type { Static, TObject } from 'typebox';
import type { Call } from './call.js';

/** What of the scopes of a key decides about tools. */
export type ToolScope = 'read' | 'write' | 'webhook';

export interface Tool {
  /** A verb and what it is about: `find_user`. */
  readonly name: string;
  readonly title: string;
  /** For the model that chooses: what it does, and when another tool is the right one. */
  readonly description: string;
  readonly scope: ToolScope;
  readonly input: TObject;
  /** Whether it only reads. */
  readonly readOnly: boolean;
  /** Whether it can remove or replace something. */
  readonly destructive: boolean;
  /** Whether a second call with the same input changes nothing more. */
  readonly idempotent: boolean;
  /** @returns the text of the result, within the budget. @throws CallError */
  run(input: unknown, call: Call): Promise<string>;
}

type Words = Pick<Tool, 'name' | 'title' | 'description'>;

const typed = <Input extends TObject>(
  run: (input: Static<Input>, call: Call) => Promise<string>,
): Pick<Tool, 'run'> => ({ run: (input, call) => run(input as Static<Input>, call) });

/** Declares a tool that only reads, with the scope `read` unless another is given. */
export const readTool = <Input extends TObject>(
  definition: Words & {
    readonly input: Input;
    readonly scope?: ToolScope;
    run(input: Static<Input>, call: Call): Promise<string>;
  },
): Tool => ({
  ...definition,
  scope: definition.scope ?? 'read',
  readOnly: true,
  destructive: false,
  idempotent: true,
  ...typed<Input>(definition.run),
});

/** Declares a tool that changes something, with the scope `write` unless another is given. */
export const writeTool = <Input extends TObject>(
  definition: Words & {
    readonly input: Input;
    readonly scope?: ToolScope;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    run(input: Static<Input>, call: Call): Promise<string>;
  },
): Tool => ({
  ...definition,
  scope: definition.scope ?? 'write',
  readOnly: false,
  ...typed<Input>(definition.run),
});
