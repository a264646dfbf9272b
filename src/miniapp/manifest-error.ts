import { AppError } from '../error.js';

/** A domain without a usable manifest. `absent`: it is not a mini app, or one without webhook. */
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
