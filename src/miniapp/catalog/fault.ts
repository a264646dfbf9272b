/** Why a domain has no mini app that can be listed. The message is a sentence for the mini app's developer. */
export class CatalogFault extends Error {
  override readonly name = 'CatalogFault';
  /** Set if the same manifest may be readable later: the domain does not answer, or a chain does not. */
  readonly isTemporary: boolean;

  constructor(message: string, { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isTemporary = isTemporary;
  }
}
