/** Bytes that the view rendered from an entity. They live in the entity and go with it. */
export interface Fragment {
  readonly bytes: Buffer;
  /** The other entities that went into it, in the view's order (undefined: absent); another one makes it void. */
  readonly from: readonly unknown[];
  /** Unix milliseconds at which it becomes void by itself. */
  readonly until: number;
}
