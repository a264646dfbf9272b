/** What filters ask about the cast of an event that is not in its message. */
export interface CastFacts {
  /** Text as `Cast.text` shows it, with the names of mentioned accounts. */
  readonly text: string;
  /** The parent URL of the thread; null if it has none or if its root is unknown. */
  readonly rootParentUrl: string | null;
  /** Score of the author, 0 to 1. */
  readonly authorScore: number;
}
