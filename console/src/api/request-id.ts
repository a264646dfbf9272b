import { useRef } from 'preact/hooks';

/** A random UUID; `crypto.randomUUID` is only there over https and on localhost. */
const randomId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4 and variant 1 of RFC 9562.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * Ids for the requests of a form. If the answer to a request is lost, the same form sends it with the same id, and the
 * service does it once.
 */
export const useRequestId = () => {
  const last = useRef<{ readonly content: string; readonly id: string }>();
  return {
    /** @returns the id of the last request if that had the same content and has not succeeded; otherwise a new one */
    idFor: (content: object): string => {
      const text = JSON.stringify(content);
      if (last.current?.content !== text) last.current = { content: text, id: randomId() };
      return last.current.id;
    },
    succeeded: (): void => {
      last.current = undefined;
    },
  };
};
