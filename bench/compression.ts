import { request } from 'undici';
import type { RequestedOperation } from './sample.js';
import { type Service, startService } from './service.js';
import { renderCells, whole } from './table.js';
import type { Target } from './target.js';

/** Pages of each operation. */
const PAGES = 50;
/** Times that each page is read in one measurement of stored pages. */
const ROUNDS = 6;
const ENCODINGS = ['identity', 'gzip', 'br'] as const;

/** Reads with one encoding. */
interface Reads {
  /** Bytes of a body, on average. */
  readonly bytes: number;
  /** Microseconds of the service's processor time for each response. */
  readonly cpu: number;
}

const readAll = async (service: Service, paths: readonly string[], encoding: string, times = 1): Promise<Reads> => {
  const before = (await service.usage()).cpuSeconds;
  let bytes = 0;
  for (let time = 0; time < times; time += 1) {
    for (const path of paths) {
      const { body } = await request(`http://127.0.0.1:${service.port}${path}`, {
        headers: { 'x-api-key': service.apiKey, 'accept-encoding': encoding },
      });
      bytes += (await body.arrayBuffer()).byteLength;
    }
  }
  const seconds = (await service.usage()).cpuSeconds - before;
  const count = paths.length * times;
  return { bytes: bytes / count, cpu: (1e6 * seconds) / count };
};

/**
 * Measures what compression saves and takes: bytes of a page, and the processor time of the service for a page that is
 * stored, sent as it is, compressed for the first time, and sent again as it was compressed.
 * @returns a table
 */
export const measureCompression = async ({
  operations,
  target,
  flags,
}: {
  readonly operations: readonly RequestedOperation[];
  readonly target: Target;
  readonly flags: readonly string[];
}): Promise<string> => {
  const service = await startService(target.environment, flags);
  try {
    const rows: string[][] = [];
    for (const { operation, requests } of operations) {
      const paths = [...new Set(requests.repeated)].slice(0, PAGES);
      await readAll(service, paths, 'identity', ROUNDS);
      const first = new Map<string, Reads>();
      const again = new Map<string, Reads>();
      for (const encoding of ENCODINGS) {
        first.set(encoding, await readAll(service, paths, encoding));
        again.set(encoding, await readAll(service, paths, encoding, ROUNDS));
      }
      rows.push([
        operation.name,
        ...ENCODINGS.map((encoding) => whole(first.get(encoding)?.bytes ?? 0)),
        whole(again.get('identity')?.cpu ?? 0),
        ...(['gzip', 'br'] as const).flatMap((encoding) => [
          whole(first.get(encoding)?.cpu ?? 0),
          whole(again.get(encoding)?.cpu ?? 0),
        ]),
      ]);
    }
    return renderCells(
      ['Page', 'Bytes', 'gzip', 'br', 'CPU µs', 'gzip, first', 'gzip, stored', 'br, first', 'br, stored'],
      rows,
    );
  } finally {
    await service.stop();
  }
};
