import { AppError } from '../error.js';

/** A domain whose manifest cannot be used. `absent`: the domain is no mini app, or one that takes no events. */
export class ManifestError extends AppError {
  readonly isAbsent: boolean;

  constructor(
    message: string,
    { isAbsent = false, cause }: { readonly isAbsent?: boolean; readonly cause?: unknown } = {},
  ) {
    const [kind, code] = isAbsent ? (['not_found', 'NotFound'] as const) : (['bad_gateway', 'BadGateway'] as const);
    super(kind, code, message, { ...(isAbsent ? { property: 'app_domain' } : {}), cause });
    this.isAbsent = isAbsent;
  }
}
