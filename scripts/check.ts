/** Everything that can be found without running the service; all of it runs, so that one run tells all. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const CHECKS: readonly (readonly [name: string, command: string])[] = [
  ['types', 'tsc -p tsconfig.json'],
  ['types of the console', 'openapi-typescript openapi.json -o console/src/api/schema.ts && tsc -p console'],
  ['format and lint', 'biome check --error-on-warnings .'],
  ['directions of imports', 'depcruise --config .dependency-cruiser.cjs src test scripts bench fault console/src'],
  ['unused files, exports, packages', 'knip'],
  ['sizes of folders and files', 'tsx scripts/layout.ts'],
  ['no fixed waits in tests', 'tsx scripts/fixed-wait.ts'],
  ['src/store/tables.ts is current', 'tsx scripts/tables.ts --check'],
  ['src/store/sql and statement-types.ts are current', 'tsx scripts/sql.ts --check'],
  ['src/onchain/artifact is current', 'tsx scripts/contracts.ts --check'],
  ['src/api/operation-list.ts is current', 'tsx scripts/operation-list.ts --check'],
  ['openapi.json is current', 'tsx scripts/openapi.ts --check'],
  ['docs/operations.md is current', 'tsx scripts/operations.ts --check'],
  ['docs/configuration.md is current', 'tsx scripts/configuration.ts --check'],
  ['docs/hub-cases.md is current', 'tsx scripts/hub-cases.ts --check'],
  ['docs/coverage.md is current', 'tsx scripts/coverage.ts --check'],
  ['docs/llms.txt and llms-full.txt are current', 'tsx scripts/llms.ts --check'],
  ['list of the contract is current', 'tsx scripts/contract-operation.ts --check'],
  ['package-lock.json is complete', 'tsx scripts/lock-file.ts --check'],
  ['licences of production dependencies', 'tsx scripts/license.ts'],
  ['Dockerfile', 'tsx scripts/dockerfile.ts'],
  ['compose.yaml', 'dclint --max-warnings 0 compose.yaml'],
];

interface Result {
  readonly isFine: boolean;
  readonly output: string;
}

/** npm puts node_modules/.bin on the path of its scripts. */
const run = (command: string): Promise<Result> =>
  new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', (code) => resolve({ isFine: code === 0, output: Buffer.concat(chunks).toString() }));
  });

const waiting = [...CHECKS];
const failed: string[] = [];

const work = async (): Promise<void> => {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command] = check;
    const { isFine, output } = await run(command);
    console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}`);
    if (isFine) continue;
    failed.push(name);
    console.log(`$ ${command}\n${output.trimEnd()}\n`);
  }
};

await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
if (failed.length > 0) {
  console.log(`Failed: ${failed.join('; ')}.`);
  process.exitCode = 1;
}
