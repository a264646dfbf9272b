/** A page of edges as indexes of nodes; only the first `length` are valid. */
export interface EdgePage {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly length: number;
}

export interface PageRankGraph {
  /** Number of nodes. */
  readonly size: number;
  /** By node: its initial trust, in any unit; not negative. */
  readonly seeds: Float64Array;
  /** All edges, read again each time: `from` trusts `to`. They may change between two reads. */
  follows(): AsyncIterable<EdgePage>;
}

/** Share of its trust that a node passes on; the rest goes back to the seeds. */
const DAMPING = 0.85;
const MAX_ROUNDS = 30;
/** Sum of the changes of all ranks in a round below which the result has converged. */
const TOLERANCE = 1e-4;

/** @returns the same proportions with the sum 1; equal parts when all are 0. */
const normalized = (weights: Float64Array): Float64Array => {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? weights.map((weight) => weight / sum) : weights.map(() => 1 / weights.length);
};

const outDegrees = async (graph: PageRankGraph): Promise<Uint32Array> => {
  const degrees = new Uint32Array(graph.size);
  for await (const { from, length } of graph.follows()) {
    for (let i = 0; i < length; i++) degrees[from[i] as number] = (degrees[from[i] as number] as number) + 1;
  }
  return degrees;
};

export interface PageRankResult {
  /** By node; the sum of all is 1. */
  readonly rank: Float64Array;
  /** By node: what others passed to it in the last round, without its seed. */
  readonly received: Float64Array;
}

/**
 * Spreads trust from the seeds along the edges until it converges: PageRank with restart at the seeds
 * (Haveliwala, "Topic-Sensitive PageRank", 2002). A node passes its trust on in equal parts; one without edges gives
 * it back to the seeds. Memory grows with the number of nodes, not with that of edges.
 */
export const computePersonalizedPageRank = async (graph: PageRankGraph): Promise<PageRankResult> => {
  const { size } = graph;
  const seeds = normalized(graph.seeds);
  const degrees = await outDegrees(graph);
  let rank = Float64Array.from(seeds);
  let received = new Float64Array(size);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    received = new Float64Array(size);
    const passed = new Uint32Array(size);
    for await (const { from, to, length } of graph.follows()) {
      for (let i = 0; i < length; i++) {
        const source = from[i] as number;
        const target = to[i] as number;
        // Made since the degrees were counted: a node passes on no more than it has.
        if ((passed[source] as number) >= (degrees[source] as number)) continue;
        passed[source] = (passed[source] as number) + 1;
        received[target] = (received[target] as number) + (rank[source] as number) / (degrees[source] as number);
      }
    }
    let danglingMass = 0;
    for (let i = 0; i < size; i++) if (degrees[i] === 0) danglingMass += rank[i] as number;
    const next = new Float64Array(size);
    let change = 0;
    for (let i = 0; i < size; i++) {
      const seed = seeds[i] as number;
      next[i] = DAMPING * ((received[i] as number) + danglingMass * seed) + (1 - DAMPING) * seed;
      change += Math.abs((next[i] as number) - (rank[i] as number));
    }
    rank = next;
    if (change < TOLERANCE) break;
  }
  return { rank, received };
};
