/** Whether the system refused a call, as for a full disk: an error of a stream or of zlib has a code, too, but no call. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { readonly code: string } => {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && typeof syscall === 'string';
};
