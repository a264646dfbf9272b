import { useEffect, useRef, useState } from 'preact/hooks';
import { shorten } from './text.js';

/** @returns what copies with one click, and whether that has just worked, or the browser does not let the page copy */
const useCopy = (text: string) => {
  const [result, setResult] = useState<'copied' | 'refused'>();
  const copy = async (): Promise<void> => {
    if (result === 'refused') return setResult(undefined);
    try {
      // Over http, only pages of the same machine have a clipboard.
      await navigator.clipboard.writeText(text);
    } catch {
      return setResult('refused');
    }
    setResult('copied');
    setTimeout(() => setResult(undefined), 1_500);
  };
  return { copy, isCopied: result === 'copied', isRefused: result === 'refused' };
};

/** The text, selected, for whoever copies it with the keyboard. */
const SelectedText = ({ text }: { readonly text: string }) => {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <span class="to-copy">
      <textarea
        ref={field}
        class="input mono"
        readOnly
        wrap="off"
        rows={Math.min(6, text.split('\n').length)}
        aria-label="Text to copy"
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <span class="help" role="status">
        The browser does not let this page copy. Press Ctrl C, or ⌘ C.
      </span>
    </span>
  );
};

/** Copies with one click, and says so for a moment. */
export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const { copy, isCopied, isRefused } = useCopy(text);
  return (
    <>
      <button type="button" class="button" onClick={() => void copy()}>
        <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
      </button>
      {isRefused ? <SelectedText text={text} /> : null}
    </>
  );
};

/** A hash, key or address: short, and whole when copied. */
export const Mono = ({ text, whole = false }: { readonly text: string; readonly whole?: boolean }) => {
  const { copy, isCopied, isRefused } = useCopy(text);
  return (
    <>
      <button type="button" class="copied mono" title={`Copy ${text}`} onClick={() => void copy()}>
        {isCopied ? 'Copied' : whole ? text : shorten(text)}
      </button>
      {isRefused ? <SelectedText text={text} /> : null}
    </>
  );
};
