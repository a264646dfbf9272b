import { toIso } from '../protocol/time.js';
import { toBytes } from './json.js';

interface Buckets {
  /** Protocol seconds. */
  readonly start: number;
  /** Seconds of a bucket. */
  readonly resolution: number;
  /** Number of casts by bucket, oldest first. */
  readonly counts: readonly number[];
}

/** @returns `CastsMetricsResponse` */
export const viewCastMetrics = ({ start, resolution, counts }: Buckets): Buffer => {
  const items = counts.map(
    (count, bucket) =>
      `{"start":"${toIso(start + bucket * resolution)}","resolution_in_seconds":${resolution},"cast_count":${count}}`,
  );
  return toBytes('{"metrics":[', items, ']}');
};
