import { AppError } from '../error.js';

/** A domain without a usable manifest. The message is a sentence for the mini app's developer. */
export class ManifestError extends AppError {
  /** Set if the domain is not a mini app, or one without webhook. */
  readonly isAbsent: boolean;
  /** Set if the same manifest may be readable later: the domain does not answer, or a chain does not. */
  readonly isTemporary: boolean;

  constructor(
    message: string,
    {
      isAbsent = false,
      isTemporary = false,
      cause,
    }: { readonly isAbsent?: boolean; readonly isTemporary?: boolean; readonly cause?: unknown } = {},
  ) {
    const [kind, code] = isAbsent ? (['not_found', 'NotFound'] as const) : (['bad_gateway', 'BadGateway'] as const);
    super(kind, code, message, { ...(isAbsent ? { property: 'app_domain' } : {}), cause });
    this.isAbsent = isAbsent;
    this.isTemporary = isTemporary;
  }
}
