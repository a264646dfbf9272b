/** A chain of the index. In development one chain stands in for every network, so the id alone does not identify it. */
export interface StpChain {
  readonly network: string;
  readonly chainId: number;
}
